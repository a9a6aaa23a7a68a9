import { type Attempt, isAcknowledged } from '../model/attempt.ts';
import type { Listener, Progress } from '../model/run.ts';
import { formatDuration } from '../support/duration.ts';
import { plural } from '../support/plural.ts';
import { shortenMiddle } from '../support/shorten.ts';
import { inFlightText } from './in-flight.ts';
import { wrapped } from './layout.ts';
import { type Style, verdictBadge } from './style.ts';

export type LiveOptions = {
  readonly write: (text: string) => void;
  readonly style: Style;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** False: where there are many attempts, a terminal gets a line that counts instead. */
  readonly everyAttempt: boolean;
};

/** The run as it happens. */
export type LiveView = {
  readonly listen: Listener;
  /** Draws the last line anew: what is waited for, and for how long. Only for a terminal; call it a few times a second. */
  readonly tick: () => void;
};

/** More deliveries than this in a phase become one line that counts. */
const MOST_LINES = 60;
/** What is over sooner needs no line that says it goes on. */
const CALM_MS = 300;
const CLEAR_LINE = '\r\u001b[K';

type Waiting = { readonly sinceMs: number; readonly quietMs: number; readonly maxMs: number };

export function liveView({ write, style, now, everyAttempt }: LiveOptions): LiveView {
  let [answered, planned, sinceMs] = [0, 0, now()];
  let waiting: Waiting | undefined;
  let isDrawn = false;
  const line = (text: string) => {
    write(`${isDrawn ? CLEAR_LINE : ''}${text}`);
    isDrawn = false;
  };
  // Nobody knows before how much a trial of a suite will send.
  const isCounted = () => !everyAttempt && style.width > 0 && (planned === 0 || planned > MOST_LINES);
  const tick = () => {
    if (now() - (waiting?.sinceMs ?? sinceMs) < CALM_MS) return;
    const text = waiting ? waitingText(waiting, now()) : countText(answered, planned, now() - sinceMs);
    if (text === undefined) return;
    write(`${CLEAR_LINE}${style.paint.dim(fitted(text, style))}`);
    isDrawn = true;
  };
  const listen: Listener = (progress) => {
    switch (progress.kind) {
      case 'phase':
        [answered, planned, sinceMs] = [0, progress.deliveries, now()];
        return line(`${wrapped(style.paint.cyan(progress.text), 0, style).join('\n')}\n`);
      case 'attempted':
        if (isAcknowledged(progress.attempt.outcome) || progress.attempt.attempt === 1) answered++;
        return isCounted() ? undefined : line(`${attemptText(progress, style)}\n`);
      case 'settling':
        waiting = { sinceMs: now(), quietMs: progress.quietMs, maxMs: progress.maxMs };
        return;
      case 'settled':
        waiting = undefined;
        return line('');
      case 'waiting':
        return line(`${wrapped(style.paint.yellow(progress.text), 0, style).join('\n')}\n`);
      case 'warning':
        return line(`${wrapped(`${style.paint.yellow('warning:')} ${progress.text}`, 0, style).join('\n')}\n`);
      case 'finished':
        [answered, planned] = [0, 0];
        return line('');
      case 'interrupted':
        return line(`${wrapped(style.paint.yellow(interruptedText(progress)), 0, style).join('\n')}\n`);
      case 'judged':
        return line(`${verdictBadge(progress.trial.verdict, style)}  ${progress.trial.id}\n`);
      case 'selected':
      case 'planned':
        return;
    }
  };
  return { listen, tick };
}

/** The first Ctrl-C, in words. */
function interruptedText({ inFlight, boundMs }: Extract<Progress, { kind: 'interrupted' }>): string {
  if (inFlight.length === 0) return 'Interrupted; nothing was in flight.';
  return `Interrupted; waiting up to ${formatDuration(boundMs)} for the answer to ${inFlightText(inFlight)}. Ctrl-C again stops at once.`;
}

function waitingText({ sinceMs, quietMs, maxMs }: Waiting, nowMs: number): string {
  return `  waiting for effects, ${formatDuration(nowMs - sinceMs)} (until quiet for ${formatDuration(quietMs)}, at most ${formatDuration(maxMs)})`;
}

function countText(answered: number, planned: number, ms: number): string | undefined {
  if (planned === 0) return answered === 0 ? undefined : `  ${plural(answered, 'delivery')}, ${formatDuration(ms)}`;
  return `  ${Math.min(answered, planned)} of ${planned} deliveries, ${formatDuration(ms)}`;
}

/** A line that the terminal would wrap cannot be drawn anew. */
function fitted(text: string, { width }: Style): string {
  return text.length < width ? text : text.slice(0, Math.max(0, width - 1));
}

/** `  #7 -> evt_1 attempt 2/3 ... 200 41 ms`. */
function attemptText({ attempt, label, copies }: Extract<Progress, { kind: 'attempted' }>, style: Style): string {
  const { paint, width } = style;
  const again = attempt.attempt > 1 ? ` retry ${attempt.attempt - 1}` : '';
  const number = `#${attempt.number}`;
  const middle = ` attempt ${attempt.copy}/${copies}${again} ... `;
  const [answer, took] = answerTexts(attempt);
  const room = width - `  ${number} -> ${middle}${answer} ${took}`.length - 1;
  const name = width === 0 ? label : shortenMiddle(label, Math.max(12, room));
  const color = isAcknowledged(attempt.outcome)
    ? paint.green
    : attempt.outcome.kind === 'response'
      ? paint.red
      : paint.yellow;
  return `  ${paint.dim(number)} -> ${name}${middle}${color(answer)} ${paint.dim(took)}`;
}

function answerTexts({ outcome, times }: Attempt): readonly [answer: string, took: string] {
  const took = `${Math.max(0, Math.round(times.doneMs - times.sentMs))} ms`;
  return outcome.kind === 'response' ? [String(outcome.status), took] : [`no response: ${outcome.reason}`, took];
}
