import type { Observer } from '../model/effect.ts';
import type { Listener, Progress } from '../model/run.ts';
import { liveView } from '../report/live.ts';
import { plural } from '../support/plural.ts';
import type { Context, GlobalOptions } from './context.ts';
import { styleOf } from './print-run.ts';

/** How a run shows itself to people while it goes on, on standard error. */
export type RunView = {
  readonly listen: Listener;
  /** Ends what is drawn again and again. */
  readonly close: () => void;
};

type Viewed = { readonly events: number; readonly to: string; readonly seed: number };

const TICK_MS = 200;
/** Said in a pipe, too. */
const ALWAYS: ReadonlySet<Progress['kind']> = new Set(['warning', 'interrupted']);

/**
 * What goes where is said before it starts, also in a pipe. On a terminal, and with `--verbose`, every attempt follows,
 * on a terminal also what is waited for. `--quiet` says nothing.
 */
export function runView(viewed: Viewed, options: GlobalOptions, context: Context): RunView {
  const { err, clock } = context;
  if (options.quiet) return { listen: () => {}, close: () => {} };
  const everyAttempt = options.verbose ?? false;
  const view = liveView({ write: err.write, style: styleOf(err, context), now: clock.now, everyAttempt });
  let isTold = false;
  const isLive = err.isTerminal && context.env['TERM'] !== 'dumb';
  const close = isLive ? every(TICK_MS, view.tick, context) : () => {};
  const listen: Listener = (progress) => {
    if (!isTold && progress.kind !== 'selected') {
      isTold = true;
      err.write(`${startText(progress, viewed)}\n`);
    }
    if (ALWAYS.has(progress.kind) || err.isTerminal || options.verbose) view.listen(progress);
  };
  return { listen, close };
}

/** `3 events to http://..., pattern duplicate: 6 deliveries, seed 7`. */
function startText(progress: Progress, { events, to, seed }: Viewed): string {
  const where = `${plural(events, 'event')} to ${to}`;
  if (progress.kind !== 'planned') return `${where}, seed ${seed}`;
  const { plan, rounds } = progress;
  const times = rounds > 1 ? ` in each of ${rounds} rounds` : '';
  return `${where}, pattern ${plan.pattern}: ${plural(plan.steps.length, 'delivery')}${times}, seed ${seed}`;
}

function every(ms: number, work: () => void, { clock }: Context): () => void {
  const ended = new AbortController();
  const loop = async () => {
    while (!ended.signal.aborted) {
      await clock.sleep(ms, ended.signal);
      if (!ended.signal.aborted) work();
    }
  };
  void loop();
  return () => ended.abort();
}

/** Says when the sources are waited for; that may take many seconds in which nothing else happens. */
export function tellSettling(observer: Observer, listen: Listener): Observer {
  return {
    ...observer,
    settle: async (options) => {
      listen({ kind: 'settling', quietMs: options.quietMs, maxMs: options.maxMs });
      try {
        return await observer.settle(options);
      } finally {
        listen({ kind: 'settled' });
      }
    },
  };
}
