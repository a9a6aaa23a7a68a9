import type { WebhookEvent } from '../model/event.ts';

/** What a dry run shows instead of ids that are drawn only when something is sent: our id to `<event-1>`, the same for deliveries of one event. */
export function createPlaceholders(
  events: readonly Pick<WebhookEvent, 'id' | 'provider' | 'eventId'>[],
): ReadonlyMap<string, string> {
  const numbers = new Map<string, number>();
  return new Map(
    events.map(({ id, provider, eventId }) => {
      const name = eventId === undefined ? `id ${id}` : `${provider} ${eventId}`;
      const number = numbers.get(name) ?? numbers.size + 1;
      numbers.set(name, number);
      return [id, `<event-${number}>`];
    }),
  );
}
