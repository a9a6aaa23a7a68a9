import type { Run, Trial } from '../model/run.ts';
import { shellQuote } from '../support/shell-quote.ts';

/** The command line that does this again: the same events, plan and seed, with new ids. A trial of a suite is named. */
export function reproduceCommand({ command, request, seed }: Run, trial?: Pick<Trial, 'id'>): string {
  const only = command === 'test' && trial ? ['--only', trial.id] : [];
  const flags = only.length > 0 ? withoutChoice(request.flags) : request.flags;
  const words = ['webhook-replay', command, ...request.events, ...flags, ...only, '--seed', String(seed)];
  return words.map(shellQuote).join(' ');
}

function withoutChoice(flags: readonly string[]): readonly string[] {
  return flags.filter((flag, index) => !isChoice(flag) && !isChoice(flags[index - 1]));
}

function isChoice(flag: string | undefined): boolean {
  return flag === '--only' || flag === '--skip';
}
