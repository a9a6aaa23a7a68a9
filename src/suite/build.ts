import type { WebhookEvent } from '../model/event.ts';
import type { Control, Delivery, Step } from '../model/plan.ts';
import type { Act } from './trial-definition.ts';

type Draft = Partial<Omit<Delivery, 'event'>>;

/** One delivery, once, signed right. */
export function deliver({ id }: WebhookEvent, draft: Draft = {}): Delivery {
  return { event: id, copy: 1, as: 'same', repeat: { kind: 'once' }, ...draft };
}

/** A delivery that waits for an answer, and then some. */
export type Link = Delivery & { readonly delayMs?: number };

/** One after the other's answer. */
export function chain(deliveries: readonly Link[], after?: string): readonly Step[] {
  return deliveries.map(({ delayMs = 0, ...delivery }, index) => {
    const before = index === 0 ? after : stepId(index - 1, after);
    return {
      id: stepId(index, after),
      start:
        before === undefined
          ? { kind: 'at', atMs: delayMs }
          : { kind: 'after', step: before, moment: 'answered', delayMs },
      delivery,
    };
  });
}

/** What happens to the receiver once a step has come so far, and then some. */
export function control(
  id: string,
  what: Control,
  after: Partial<Extract<Step['start'], { kind: 'after' }>> & { readonly step: string },
): Step {
  return { id, start: { kind: 'after', moment: 'answered', delayMs: 0, ...after }, control: what };
}

export const KILL: Control = { kind: 'kill', signal: 'SIGKILL' };
export const RESTART: Control = { kind: 'restart' };

/** Each at its own time from the start, whatever is answered. */
export function timed(deliveries: ReadonlyArray<Delivery & { readonly atMs: number }>): readonly Step[] {
  return deliveries.map(({ atMs, ...delivery }, index) => ({
    id: `t${index + 1}`,
    start: { kind: 'at', atMs },
    delivery,
  }));
}

/** All released in one turn of the event loop; after a step, when one is given. */
export function together(deliveries: readonly Delivery[], after?: string): readonly Step[] {
  return deliveries.map((delivery, index) => ({
    id: `g${index + 1}`,
    start:
      after === undefined ? { kind: 'at', atMs: 0 } : { kind: 'after', step: after, moment: 'answered', delayMs: 0 },
    delivery: { ...delivery, group: 'g' },
  }));
}

function stepId(index: number, after: string | undefined): string {
  return `${after ?? 's'}${after === undefined ? '' : '-'}${index + 1}`;
}

/** Each identity once, whatever the deliveries. */
export function onceEach(steps: readonly Step[], more: Partial<Act> = {}): Act {
  return { effects: 'once', identities: ['a'], steps, reorders: false, answers: 'taken', hint: TAKE_IT, ...more };
}

/** No effect at all. */
export function noEffect(steps: readonly Step[], more: Partial<Act> = {}): Act {
  return { effects: 'nothing', identities: ['a'], steps, reorders: false, answers: '4xx', hint: REFUSE_IT, ...more };
}

const TAKE_IT =
  'An event that was delivered right must be acknowledged with 2xx in the end, or the provider gives up and it is lost.';
const REFUSE_IT =
  'Refuse it with 4xx before anything else is done: 5xx is retried for days, and 2xx says that it was taken.';

/** `o1`, `o2`, ...: other events that happen meanwhile. */
export function others(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `o${index + 1}`);
}
