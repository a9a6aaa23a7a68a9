import type { Attempt } from '../model/attempt.ts';
import type { Listener, Progress } from '../model/run.ts';
import { formatDuration } from '../support/duration.ts';
import { plural } from '../support/plural.ts';
import { inFlightText } from './in-flight.ts';
import type { Style } from './style.ts';

export type LiveOptions = {
  readonly write: (text: string) => void;
  readonly style: Style;
  /** Monotonic milliseconds, to keep the progress line calm. */
  readonly now: () => number;
};

/** More deliveries than this in a phase become one line that counts. */
const MOST_LINES = 60;
const REFRESH_MS = 100;

/** The run as it happens, on a terminal. */
export function liveListener({ write, style, now }: LiveOptions): Listener {
  let [done, planned, shownAt] = [0, 0, Number.NEGATIVE_INFINITY];
  let selection = '';
  const clear = () => {
    if (planned > MOST_LINES) write('\r\u001b[K');
  };
  const count = () => {
    done++;
    if (now() - shownAt < REFRESH_MS && done < planned) return;
    shownAt = now();
    write(`\r\u001b[K  ${done} of ${planned} deliveries`);
  };
  return (progress: Progress) => {
    switch (progress.kind) {
      case 'phase':
        clear();
        [done, planned] = [0, progress.deliveries];
        return write(`${style.paint.cyan(progress.text)}\n`);
      case 'attempted':
        return planned > MOST_LINES ? count() : write(`${attemptText(progress, style)}\n`);
      case 'waiting':
      case 'warning':
        clear();
        return write(`${style.paint.yellow(progress.text)}\n`);
      case 'interrupted':
        clear();
        return write(`${style.paint.yellow(interruptedText(progress))}\n`);
      case 'finished':
        return clear();
      case 'selected':
        selection = `${plural(progress.events, 'event')} to ${progress.to}`;
        return;
      case 'judged':
        return;
      case 'planned':
        return write(`${selection}: ${plannedText(progress)}\n`);
    }
  };
}

/** The first Ctrl-C, in words. */
export function interruptedText({ inFlight, boundMs }: Extract<Progress, { kind: 'interrupted' }>): string {
  if (inFlight.length === 0) return 'Interrupted; nothing was in flight.';
  return `Interrupted; waiting up to ${formatDuration(boundMs)} for the answer to ${inFlightText(inFlight)}. Ctrl-C again stops at once.`;
}

function plannedText({ plan, rounds }: Extract<Progress, { kind: 'planned' }>): string {
  const { pattern, steps, seed } = plan;
  const times = rounds > 1 ? ` in each of ${rounds} rounds` : '';
  return `pattern ${pattern}, ${plural(steps.length, 'delivery')}${times}, seed ${seed}`;
}

/** `  #7 -> evt_1 attempt 2/3 ... 200 41 ms`. */
function attemptText({ attempt, label, copies }: Extract<Progress, { kind: 'attempted' }>, { paint }: Style): string {
  const again = attempt.attempt > 1 ? ` retry ${attempt.attempt - 1}` : '';
  return `  ${paint.dim(`#${attempt.number}`)} -> ${label} attempt ${attempt.copy}/${copies}${again} ... ${answerText(attempt, paint)}`;
}

function answerText({ outcome, times }: Attempt, paint: Style['paint']): string {
  if (outcome.kind === 'no-response') return paint.yellow(`no response: ${outcome.reason}`);
  const status =
    outcome.status >= 200 && outcome.status < 300 ? paint.green(outcome.status) : paint.red(outcome.status);
  return `${status} ${paint.dim(`${Math.max(0, Math.round(times.doneMs - times.sentMs))} ms`)}`;
}
