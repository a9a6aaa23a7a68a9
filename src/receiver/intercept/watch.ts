import { createHash } from 'node:crypto';
import type { Interception, Turn } from '../../model/receiver-control.ts';
import type { Clock } from '../../support/clock.ts';
import { createAmbush, type Fates, PASSES } from './ambush.ts';
import { whatIsSaid } from './what-is-said.ts';

/** Counts what passes the stand-ins, and decides over it. */
export type Watch = Interception & {
  /** A turn begins: its first bytes are here and not passed on yet. */
  readonly turnBegins: (dependency: string, bytes: Uint8Array) => Fates;
};

type WatchSetup = {
  readonly dependencies: readonly string[];
  readonly clock: Clock;
  /** Kills the receiver's process, at once. */
  readonly killReceiver: () => void;
};

export function createWatch({ dependencies, clock, killReceiver }: WatchSetup): Watch {
  const ambush = createAmbush({ clock, killReceiver });
  const chatter = new Set<string>();
  let learning = false;
  let counted: Turn[] | undefined;
  return {
    dependencies,
    lieInWait: ambush.lieInWait,
    learnChatter: () => {
      learning = true;
      return () => {
        learning = false;
      };
    },
    count: () => {
      const turns: Turn[] = [];
      counted = turns;
      return () => {
        counted = undefined;
        return turns;
      };
    },
    turnBegins: (dependency, bytes) => {
      const sign = signOf(dependency, bytes);
      if (learning) chatter.add(sign);
      if (chatter.has(sign)) return PASSES;
      const turn = turnOf(dependency, bytes);
      counted?.push(turn);
      return ambush.meets(turn);
    },
  };
}

function turnOf(dependency: string, bytes: Uint8Array): Turn {
  const what = whatIsSaid(bytes);
  return { dependency, opener: bytes[0] ?? 0, bytes: bytes.length, ...(what === undefined ? {} : { what }) };
}

/** The same words with other numbers are the same chatter. */
function signOf(dependency: string, bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1').replace(/\d+/g, '0');
  return createHash('sha256').update(`${dependency}|${text}`).digest('base64');
}
