import { findFixture } from '../fixtures/fixtures.ts';
import type { WebhookEvent } from '../model/event.ts';

/** A sample event as an event of its own; its name is its id. */
export function fixtureEvents(name: string): readonly WebhookEvent[] {
  const { origin: _, originalBytes: __, ...event } = findFixture(name);
  return [{ ...event, id: `fixture:${name}` }];
}
