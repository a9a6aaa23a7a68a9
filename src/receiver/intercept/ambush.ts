import type { Fault } from '../../model/plan.ts';
import type { Interception, Strike, Turn } from '../../model/receiver-control.ts';
import type { Clock } from '../../support/clock.ts';

/** What becomes of some bytes on their way. `stall`: they go on after `forMs`. */
export type Fate =
  | { readonly kind: 'pass' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'stall'; readonly forMs: number }
  | { readonly kind: 'refuse'; readonly forMs: number };

export const PASS: Fate = { kind: 'pass' };

/** What becomes of a turn's first bytes, and, asked when it begins, of its answer. */
export type Fates = { readonly fate: Fate; readonly answered: () => Fate };

export const PASSES: Fates = { fate: PASS, answered: () => PASS };

/** One fault at a time, which strikes once. */
export type Ambush = Pick<Interception, 'lieInWait'> & { readonly meets: (turn: Turn) => Fates };

type AmbushSetup = {
  readonly clock: Clock;
  /** Kills the receiver's process, at once. */
  readonly killReceiver: () => void;
};

type Waiting = { readonly fault: Fault; readonly turns: Turn[]; readonly end: (struck: boolean) => void };

export function createAmbush({ clock, killReceiver }: AmbushSetup): Ambush {
  let waiting: Waiting | undefined;
  const strike = ({ fault, end }: Waiting): Fate => {
    end(true);
    if (fault.how !== 'kill') return fateOf(fault);
    killReceiver();
    return { kind: 'drop' };
  };
  return {
    lieInWait: (fault, signal) =>
      new Promise<Strike>((resolve) => {
        const over = new AbortController();
        const turns: Turn[] = [];
        const giveUp = () => mine.end(false);
        const mine: Waiting = {
          fault,
          turns,
          end: (struck) => {
            if (waiting !== mine) return;
            waiting = undefined;
            over.abort();
            signal.removeEventListener('abort', giveUp);
            resolve({ struck, turns });
          },
        };
        waiting = mine;
        signal.addEventListener('abort', giveUp, { once: true });
        void clock.sleep(fault.withinMs, over.signal).then(giveUp);
      }),
    meets: (turn) => {
      const mine = waiting;
      if (!mine) return PASSES;
      mine.turns.push(turn);
      const { dependency, turn: wanted, side } = mine.fault;
      const number = mine.turns.filter((each) => each.dependency === dependency).length;
      if (turn.dependency !== dependency || number !== wanted) return PASSES;
      if (side === 'before') return { fate: strike(mine), answered: () => PASS };
      return { fate: PASS, answered: () => (waiting === mine ? strike(mine) : PASS) };
    },
  };
}

function fateOf({ how, forMs = 0 }: Fault): Fate {
  return how === 'stall' || how === 'refuse' ? { kind: how, forMs } : { kind: 'cut' };
}
