import { type Attempt, isAcknowledged, type Outcome } from '../model/attempt.ts';
import type { Finding } from '../model/finding.ts';
import type { Verdict } from '../model/verdict.ts';
import { headerValue } from '../support/headers.ts';
import { plural } from '../support/plural.ts';
import { pushTo } from '../support/push-to.ts';
import { shorten } from './describe.ts';

/** What became of one delivery: its last attempt counts. */
export type FinalAnswer = {
  readonly round: string;
  readonly event: string;
  readonly copy: number;
  readonly attempts: number;
  readonly answer:
    | {
        readonly kind: 'status';
        readonly status: number;
        readonly location?: string | undefined;
        readonly body: string;
      }
    | { readonly kind: 'none'; readonly reason: string; readonly detail: string };
};

export type AnswersJudgement = {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** Deliveries, and how many of them were acknowledged in the end. */
  readonly deliveries: number;
  readonly acknowledged: number;
  readonly reason?: string | undefined;
};

/** Takes attempts as they come and keeps little of each, so that many may come. */
export type AnswerTally = {
  readonly add: (attempt: Attempt) => void;
  readonly conclude: () => AnswersJudgement;
};

/** @param labelOf what people call an event, by its id */
export function createAnswerTally(labelOf: (event: string) => string = (event) => event): AnswerTally {
  // By far the most, and nothing more is heard of these deliveries.
  let atOnce = 0;
  const later = new Set<string>();
  const open = new Map<string, FinalAnswer>();
  return {
    add: (attempt) => {
      const isTaken = isAcknowledged(attempt.outcome);
      if (isTaken && attempt.attempt === 1) {
        atOnce++;
        return;
      }
      const key = `${attempt.round}|${attempt.step}|${attempt.event}|${attempt.copy}`;
      if (later.has(key)) return;
      if (isTaken) {
        later.add(key);
        open.delete(key);
        return;
      }
      const before = open.get(key);
      if (before && before.attempts > attempt.attempt) return;
      open.set(key, finalAnswer(attempt, before));
    },
    conclude: () => judgeAnswers({ acknowledged: atOnce + later.size, refused: [...open.values()], labelOf }),
  };
}

export type Answers = {
  /** How many deliveries ended with a 2xx. */
  readonly acknowledged: number;
  /** The others. */
  readonly refused: readonly FinalAnswer[];
  readonly labelOf: (event: string) => string;
};

/** Judges by answers only: 2xx to everything is a pass, another status is the receiver's fault, and no answer at all leaves it open. */
function judgeAnswers({ acknowledged, refused, labelOf }: Answers): AnswersJudgement {
  const deliveries = acknowledged + refused.length;
  const findings = [...groupByStatus(refused)].map(([status, answers]) =>
    findingOf(status, answers, { deliveries, labelOf }),
  );
  const counts = { findings, deliveries, acknowledged };
  if (findings.length > 0) return { verdict: 'fail', ...counts };
  if (deliveries === 0) return { verdict: 'inconclusive', ...counts, reason: 'Nothing was delivered.' };
  const [silent] = refused;
  if (silent)
    return {
      verdict: 'inconclusive',
      ...counts,
      reason: reasonOf(silent, labelOf(silent.event), { silent: refused.length, deliveries }),
    };
  return { verdict: 'pass', ...counts };
}

const BODY_CHARACTERS = 200;

/** A body is kept where an earlier attempt had one and the last has none: callers may drop it to save memory. */
function finalAnswer({ round, event, copy, attempt, outcome }: Attempt, before: FinalAnswer | undefined): FinalAnswer {
  const earlier = before?.answer.kind === 'status' ? before.answer.body : '';
  return { round, event, copy, attempts: attempt, answer: answerOf(outcome, earlier) };
}

function answerOf(outcome: Outcome, earlierBody: string): FinalAnswer['answer'] {
  if (outcome.kind === 'no-response') return { kind: 'none', reason: outcome.reason, detail: outcome.detail };
  const { status, headers, body } = outcome;
  const text = new TextDecoder().decode(body.subarray(0, BODY_CHARACTERS));
  const location = headerValue(headers, 'location');
  return { kind: 'status', status, location, body: text === '' ? earlierBody : text };
}

function groupByStatus(refused: readonly FinalAnswer[]): ReadonlyMap<number, readonly FinalAnswer[]> {
  const groups = new Map<number, FinalAnswer[]>();
  for (const each of refused) {
    if (each.answer.kind !== 'status') continue;
    pushTo(groups, each.answer.status, each);
  }
  return groups;
}

const MOST_LINES = 5;

function findingOf(
  status: number,
  answers: readonly FinalAnswer[],
  { deliveries, labelOf }: { readonly deliveries: number; readonly labelOf: Answers['labelOf'] },
): Finding {
  const [first] = answers as readonly [FinalAnswer];
  const lines = answers.slice(0, MOST_LINES).map((answer) => lineOf(answer, labelOf));
  const more = answers.length > MOST_LINES ? [`... and ${answers.length - MOST_LINES} more`] : [];
  const were = answers.length === 1 ? 'was' : 'were';
  const share =
    deliveries === 1 ? 'The delivery was' : `${answers.length} of ${plural(deliveries, 'delivery')} ${were}`;
  return {
    check: 'answered-2xx',
    title: `${share} answered ${status} instead of 2xx`,
    event: labelOf(first.event),
    expected: '2xx',
    actual: String(status),
    evidence: [...lines, ...more],
    hint: hintFor(status, first),
  };
}

function lineOf({ event, copy, attempts, answer, round }: FinalAnswer, labelOf: Answers['labelOf']): string {
  const said = answer.kind === 'status' ? bodyText(answer) : '';
  const tries = attempts === 1 ? '' : ` after ${attempts} attempts`;
  return `${labelOf(event)}, copy ${copy} in ${round} -> ${answer.kind === 'status' ? answer.status : 'no answer'}${tries}${said}`;
}

function bodyText({ body, location }: Extract<FinalAnswer['answer'], { kind: 'status' }>): string {
  const target = location === undefined ? '' : ` to ${shorten(location)}`;
  return body.trim() === '' ? target : `${target}: ${shorten(body.trim())}`;
}

/** What such a status mostly means for a webhook, and what to do. */
function hintFor(status: number, { answer }: FinalAnswer): string {
  if (status >= 300 && status < 400) {
    const target = answer.kind === 'status' && answer.location !== undefined ? ` (${answer.location})` : '';
    return `Redirects are not followed: most providers take one for a failure, and a POST loses its body on the way. Give the final URL${target} with --to.`;
  }
  const known = HINTS[status];
  if (known !== undefined) return known;
  if (status >= 500)
    return 'The receiver failed while it handled the event; its log says why. The provider will try again, so what was half done must not be done twice.';
  if (status >= 400) return 'The receiver refuses the event. Its answer or its log says why.';
  return 'This is no final answer. Answer 200 once the event is stored.';
}

const SIGNATURE =
  'The signature, or the request, was refused. Is --secret the one the receiver has, for this provider (--provider), and does the receiver verify the raw bytes? webhook-replay verify shows where the two differ.';

const HINTS: Readonly<Record<number, string>> = {
  400: SIGNATURE,
  401: SIGNATURE,
  403: SIGNATURE,
  404: 'Nothing answers at this path. A path in --to replaces the captured one; without it the captured path is used.',
  405: 'The path is there, but not for this method. Is the path in --to the one of the webhook?',
  408: 'The receiver gave up waiting for the request.',
  409: 'The receiver takes the delivery for one that it has or is working on. Answer 200 to what was handled already; with captured ids, clear its state first.',
  410: 'The receiver says that this endpoint is gone. Some providers stop sending for good after this answer. Is the path in --to the right one?',
  413: "The payload is over the receiver's limit for bodies. Raise that limit to what the provider sends.",
  415: 'The receiver does not take this content type. It must take the one that the provider sends, parameters included.',
  422: 'The receiver read the event and cannot use it. Does it refer to something that is not there?',
  425: 'The receiver is still working on the same event. Tried again later it should answer 200.',
  429: 'The receiver limits how fast it is called. Lower --speed or the number of events, or raise its limit to what the provider may send.',
  503: 'The receiver is overloaded or not ready. Is it started, and can it stand this many requests at a time?',
};

/** Then there was no connection, and nothing can have arrived. */
const NEVER_SENT: readonly string[] = ['refused', 'dns', 'tls'];

function reasonOf({ answer }: FinalAnswer, label: string, counts: { silent: number; deliveries: number }): string {
  const why = answer.kind === 'none' ? answer.detail || `${answer.reason}.` : '';
  const hint =
    answer.kind === 'none' && NEVER_SENT.includes(answer.reason)
      ? ''
      : ' No answer does not mean that nothing happened.';
  const { silent, deliveries } = counts;
  const [which, also] =
    deliveries === 1
      ? [`${label} has`, '']
      : [`${silent} of ${plural(deliveries, 'delivery')} ${silent === 1 ? 'has' : 'have'}`, `: ${label}`];
  return `${which} no answer${also}. ${why}${hint}`;
}
