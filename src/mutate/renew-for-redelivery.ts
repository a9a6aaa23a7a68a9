import type { WebhookEvent } from '../model/event.ts';
import type { Provider } from '../providers/provider.ts';
import type { Random } from '../support/random.ts';
import { atomsOf, isMixed } from './id-forms.ts';
import { shapeOf } from './shapes.ts';

export type Redelivery = {
  readonly provider: Pick<Provider, 'retry'>;
  /** How often the event was sent with this time: 2 for the first redelivery. */
  readonly attempt: number;
  /** Called at most once: a generator costs more than all else, and most providers renew nothing. */
  readonly random: () => Random;
};

/** The event as its provider sends it again: what that provider renews on a retry is new, of the same shape. */
export function renewForRedelivery(event: WebhookEvent, redelivery: Redelivery): WebhookEvent {
  const names = redelivery.provider.retry.renewedHeaders ?? [];
  const isRenewed = (name: string) => names.some((renewed) => renewed.toLowerCase() === name.toLowerCase());
  if (names.length === 0 || !event.headers.some(([name]) => isRenewed(name))) return event;
  const random = redelivery.random();
  const values = new Map<string, string>();
  const headers = event.headers.map(([name, value]) => {
    if (!isRenewed(name)) return [name, value] as const;
    const again = values.get(value) ?? renewValue(value, redelivery.attempt, random);
    values.set(value, again);
    return [name, again] as const;
  });
  const deliveryId = event.deliveryId === undefined ? undefined : values.get(event.deliveryId);
  return { ...event, headers, ...(deliveryId === undefined ? {} : { deliveryId }) };
}

/** A short number counts attempts; everything else is an id. */
function renewValue(value: string, attempt: number, random: Random): string {
  if (/^\d{1,4}$/.test(value)) return String(Number(value) + Math.max(1, attempt - 1));
  const atoms = atomsOf(value);
  const free = atoms.filter(({ kind, text }) => kind !== 'run' || isMixed(text));
  let renewed = '';
  let copied = 0;
  for (const atom of free.length > 0 ? free : atoms.slice(-1)) {
    const shape = shapeOf(atom);
    renewed += value.slice(copied, atom.from) + shape.finish(shape.draw(random), atom.text);
    copied = atom.to;
  }
  return renewed + value.slice(copied);
}
