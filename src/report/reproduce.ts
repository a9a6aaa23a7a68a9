import type { Finding } from '../model/finding.ts';
import type { Run, Trial } from '../model/run.ts';
import { shellQuote } from '../support/shell-quote.ts';

/** The command line that does this again: the same events, plan and seed, with new ids. A trial of a suite is named, and what of it broke. */
export function reproduceCommand(
  { command, request, seed }: Run,
  trial?: Pick<Trial, 'id' | 'findings'>,
  findings: readonly Finding[] = trial?.findings ?? [],
): string {
  const only = command === 'test' && trial ? ['--only', trial.id, ...narrowed(findings)] : [];
  const flags = only.length > 0 ? withoutChoice(request.flags) : request.flags;
  const words = ['webhook-replay', command, ...request.events, ...flags, ...only, '--seed', String(seed)];
  return words.map(shellQuote).join(' ');
}

/** Only when each of them can be found by a part of the trial. */
function narrowed(findings: readonly Finding[]): readonly string[] {
  if (findings.some(({ only }) => only === undefined)) return [];
  const parts = new Map(findings.map(({ only = [] }) => [only.join(' '), only]));
  return [...parts.values()].flat();
}

function withoutChoice(flags: readonly string[]): readonly string[] {
  return flags.filter((flag, index) => !isChoice(flag) && !isChoice(flags[index - 1]));
}

function isChoice(flag: string | undefined): boolean {
  return flag === '--only' || flag === '--skip' || flag === '--crash-at';
}
