import type { Run } from '../model/run.ts';
import { shellQuote } from '../support/shell-quote.ts';

/** The command line that does this run again: the same events, plan and seed, with new ids. */
export function reproduceCommand({ command, request, seed }: Run): string {
  const words = ['webhook-replay', command, ...request.events, ...request.flags, '--seed', String(seed)];
  return words.map(shellQuote).join(' ');
}
