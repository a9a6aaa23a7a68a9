import type { WebhookEvent } from '../model/event.ts';
import type { Abandon, Fault } from '../model/plan.ts';
import { control, deliver, onceEach, RESTART } from './build.ts';
import type { Act } from './trial-definition.ts';

type FaultAct = Pick<Act, 'name' | 'only'> & {
  /** Of the act within its trial: each has identities of its own. */
  readonly number: number;
  readonly fault: Omit<Fault, 'withinMs'>;
  readonly latencyMs: number;
  readonly lateMs: number;
  readonly abandon?: Abandon | undefined;
};

const PATIENCE_MS = 1000;

/**
 * One delivery warms the receiver up (its pool has a connection, its statements are prepared); then a fault lies in wait for the
 * next one, which is retried until it is taken.
 */
export function faultAct(event: WebhookEvent, { number, fault, latencyMs, lateMs, abandon, ...more }: FaultAct): Act {
  const withinMs = Math.ceil(PATIENCE_MS + 3 * (latencyMs + lateMs));
  const [mine, warm] = [`a${number}`, `w${number}`];
  return onceEach(
    [
      { id: 'warm', start: { kind: 'at', atMs: 0 }, delivery: deliver(event, { identity: warm }) },
      control('fault', { kind: 'fault', fault: { ...fault, withinMs } }, { step: 'warm', delayMs: 2 * lateMs }),
      {
        id: 's1',
        start: { kind: 'after', step: 'fault', moment: 'sent', delayMs: 0 },
        delivery: deliver(event, { identity: mine, ...(abandon ? { abandon } : {}) }),
      },
      ...(fault.how === 'kill' ? [control('restart', RESTART, { step: 'fault' })] : []),
    ],
    { identities: [mine, warm], ...more },
  );
}
