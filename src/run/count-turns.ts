import type { WebhookEvent } from '../model/event.ts';
import type { Plan, Step } from '../model/plan.ts';
import type { Interception, ReceiverControl, Turn } from '../model/receiver-control.ts';
import { whyOtherTalk } from '../suite/boundaries.ts';
import { deliver, RESTART } from '../suite/build.ts';
import type { Courier } from './courier.ts';
import { deliverRound, type RoundIdentity, refusedIn } from './deliver-round.ts';
import type { RunRequest } from './ports.ts';
import { withRetries } from './retries.ts';

/** What the receiver says to its dependencies while it works on one delivery, or why nobody knows. */
export type Counted =
  | { readonly kind: 'counted'; readonly turns: readonly Turn[] }
  | { readonly kind: 'unknown'; readonly reason: string };

type Counting = {
  readonly event: WebhookEvent;
  readonly identity: (round: string) => RoundIdentity;
  /** How long after the answer the last effect came. */
  readonly lateMs: number;
};

const MOST_COUNTS = 5;
/** Health checks and queues that are polled show within it. */
const LISTEN_MS = 1000;

/**
 * Counts until two in a row agree. Before each, the receiver is started anew and warmed up by another delivery, as it will be
 * when it is killed; what it says while nothing is delivered is learnt first, and left out.
 */
export async function countTurns(wanted: Counting, courier: Courier, request: RunRequest): Promise<Counted> {
  const { clock, signal, receiver } = courier.ports;
  const { interception } = receiver as ReceiverControl & { readonly interception: Interception };
  let before: readonly Turn[] | undefined;
  let difference: string | undefined;
  for (let number = 1; number <= MOST_COUNTS && !signal.aborted; number++) {
    courier.ports.listen({ kind: 'phase', phase: 'turns', text: `Counting turns, ${number}`, deliveries: 0 });
    await play(['restart', 'warm'], `turns-warm-${number}`);
    await clock.sleep(Math.max(request.settleMs, 2 * wanted.lateMs), signal);
    if (number === 1) {
      const learnt = interception.learnChatter();
      await clock.sleep(LISTEN_MS, signal);
      learnt();
    }
    const count = interception.count();
    const refused = await play(['s1'], `turns-${number}`);
    await clock.sleep(Math.max(request.settleMs, 2 * wanted.lateMs), signal);
    const turns = count();
    if (refused) return { kind: 'unknown', reason: 'A delivery was refused while turns were counted.' };
    difference = before ? whyOtherTalk(before, turns) : 'only one count';
    if (difference === undefined) return conclude(turns, interception);
    before = turns;
  }
  const reason = `What the receiver says to its dependencies is not the same from one delivery to the next (${difference}), so its boundaries cannot be told apart.`;
  return { kind: 'unknown', reason };

  /** True when it was refused to the end. */
  async function play(steps: readonly StepName[], round: string): Promise<boolean> {
    const { seed, concurrency } = request;
    const bare: Plan = { pattern: 'once', seed, concurrency, reorders: false, steps: stepsOf(steps, wanted.event) };
    const plan = withRetries(bare, (id) => courier.event(id).provider);
    const { attempts } = await deliverRound({ plan, identities: [wanted.identity(round)] }, courier);
    return refusedIn(attempts).length > 0;
  }
}

type StepName = 'restart' | 'warm' | 's1';

function stepsOf(names: readonly StepName[], event: WebhookEvent): readonly Step[] {
  return names.map((id, index): Step => {
    const before = names[index - 1];
    const start: Step['start'] =
      before === undefined ? { kind: 'at', atMs: 0 } : { kind: 'after', step: before, moment: 'answered', delayMs: 0 };
    return id === 'restart' ? { id, start, control: RESTART } : { id, start, delivery: deliver(event) };
  });
}

function conclude(turns: readonly Turn[], { dependencies }: Interception): Counted {
  if (turns.length > 0) return { kind: 'counted', turns };
  const names = dependencies.join(' and ');
  const reason = `While it worked on a delivery the receiver said nothing over ${names}: does it read the address from there (--intercept)?`;
  return { kind: 'unknown', reason };
}
