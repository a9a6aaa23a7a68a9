import { type Attempt, isAcknowledged } from '../model/attempt.ts';
import type { Finding } from '../model/finding.ts';
import { plural } from '../support/plural.ts';
import { attemptLines } from './describe.ts';

/** `taken`: 2xx in the end, after retries. `2xx`, `4xx`: what the first attempt must be answered. */
export type Wanted = 'taken' | '2xx' | '4xx';

export type ActAnswers = {
  readonly attempts: readonly Attempt[];
  readonly wanted: Wanted;
  readonly hint: string;
  readonly labelOf: (event: string) => string;
  /** What was special about a delivery, by step: `signed with another secret`. */
  readonly noteOf: (step: string) => string | undefined;
  /** The first characters of an answer's body, by the attempt's number; empty when it was not kept. */
  readonly bodyOf: (attempt: number) => string;
};

/** The answers of one act; one finding for all that are not as wanted. */
export function judgeActAnswers(answers: ActAnswers): readonly Finding[] {
  const { wanted, hint, labelOf, noteOf, bodyOf } = answers;
  const wrong = decisive(answers).filter((attempt) => !isWanted(attempt, wanted));
  const [first] = wrong;
  if (!first) return [];
  const what = [...new Set(wrong.map(answerOf))].join(', ');
  const lines = wrong.map((attempt) => [
    attemptLines([attempt]).join(''),
    noteOf(attempt.step),
    said(bodyOf(attempt.number)),
  ]);
  return [
    {
      check: wanted === '4xx' ? 'refused' : 'acknowledged',
      title: `${plural(wrong.length, 'delivery')} answered ${what} instead of ${textOf(wanted)}`,
      event: labelOf(first.event),
      expected: textOf(wanted),
      actual: what,
      evidence: lines.map((parts) => parts.filter((part) => part !== undefined && part !== '').join('   ')),
      hint,
    },
  ];
}

/** Nobody answered at all: then nothing can be said of the answers. */
export function noneArrived(attempts: readonly Attempt[]): string | undefined {
  const [first] = attempts;
  if (!first || attempts.some(({ outcome }) => outcome.kind === 'response')) return undefined;
  return first.outcome.kind === 'no-response' && ['refused', 'dns', 'tls', 'not-http'].includes(first.outcome.reason)
    ? first.outcome.detail
    : undefined;
}

/** The attempt of each delivery that decides: the last one where retries count, else the first. */
function decisive({ attempts, wanted }: ActAnswers): readonly Attempt[] {
  const byDelivery = new Map<string, Attempt>();
  for (const attempt of attempts) {
    const key = `${attempt.round}|${attempt.step}`;
    const known = byDelivery.get(key);
    const isBetter =
      wanted === 'taken' ? attempt.attempt > (known?.attempt ?? 0) : attempt.attempt < (known?.attempt ?? 2);
    if (isBetter) byDelivery.set(key, attempt);
  }
  return [...byDelivery.values()];
}

function isWanted({ outcome }: Attempt, wanted: Wanted): boolean {
  if (wanted !== '4xx') return isAcknowledged(outcome);
  return outcome.kind === 'response' && outcome.status >= 400 && outcome.status < 500;
}

function textOf(wanted: Wanted): string {
  return wanted === 'taken' ? '2xx in the end' : wanted;
}

function answerOf({ outcome }: Attempt): string {
  return outcome.kind === 'response' ? String(outcome.status) : `with nothing (${outcome.reason})`;
}

function said(body: string): string {
  const text = body.trim().replace(/\s+/g, ' ').slice(0, 120);
  return text === '' ? '' : `"${text}"`;
}
