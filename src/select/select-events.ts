import type { Corpus, EventFilter } from '../model/corpus.ts';
import type { WebhookEvent } from '../model/event.ts';
import { UserError } from '../support/errors.ts';
import { notFound } from './not-found.ts';
import type { Selector } from './parse-selector.ts';

type Events = readonly WebhookEvent[];

/** Where events come from. */
export type SelectPorts = {
  readonly corpus: Pick<Corpus, 'get' | 'events' | 'list'>;
  /** All events of a file, in its order. */
  readonly readFile: (path: string) => Events | Promise<Events>;
  /** `stripe/invoice.paid`: one event, or a sequence of one resource, oldest first. */
  readonly fixture: (name: string) => Events | Promise<Events>;
  /** The events that a stored run was made with. */
  readonly run?: ((id: string) => Events | Promise<Events>) | undefined;
  readonly finding?: ((id: string) => Events | Promise<Events>) | undefined;
};

export type SelectOptions = {
  /** `refuse`: an event whose bytes are not all there must not be replayed as if they were. */
  readonly incomplete: 'refuse' | 'allow';
};

/**
 * The events that the selectors name, oldest first, each once. Events of one time stay in the order given.
 * @throws UserError when one selector names nothing (with what is there), or an event is incomplete and may not be
 */
export async function selectEvents(
  selectors: readonly Selector[],
  ports: SelectPorts,
  { incomplete }: SelectOptions,
): Promise<Events> {
  const found = new Map<string, WebhookEvent>();
  for (const selector of selectors) {
    const events = await eventsOf(selector, ports);
    if (events.length === 0) throw notFound(selector, ports.corpus);
    for (const event of events) found.set(event.id, event);
  }
  const all = [...found.values()].sort((a, b) => compare(a.receivedAt, b.receivedAt));
  if (incomplete === 'refuse') refuseIncomplete(all);
  return all;
}

async function eventsOf(selector: Selector, ports: SelectPorts): Promise<Events> {
  switch (selector.kind) {
    case 'id': {
      const event = ports.corpus.get(selector.id);
      return event ? [event] : [];
    }
    case 'last':
      return [...ports.corpus.events({}, { limit: selector.count, order: 'newest-first' })].reverse();
    case 'tag':
      return matching(ports, { tags: [selector.glob] });
    case 'type':
      return matching(ports, { types: [selector.glob] });
    case 'provider':
      return matching(ports, { providers: [selector.glob] });
    case 'file':
      return ports.readFile(selector.path);
    case 'fixture':
      return ports.fixture(selector.name);
    case 'run':
      return ports.run?.(selector.id) ?? [];
    case 'finding':
      return ports.finding?.(selector.id) ?? [];
  }
}

function matching({ corpus }: SelectPorts, filter: EventFilter): Events {
  return corpus.events(filter, { limit: Number.MAX_SAFE_INTEGER, order: 'oldest-first' });
}

function refuseIncomplete(events: Events): void {
  const event = events.find(({ marks }) => marks.includes('truncated') || marks.includes('incomplete'));
  if (!event) return;
  const what = event.marks.includes('truncated') ? 'only its head was stored' : 'its sender broke off';
  throw new UserError('INCOMPLETE_EVENT', `The event "${event.id}" is not complete: ${what}.`, {
    hint: 'Capture it again (--limit raises what is kept), or send what is there with --force.',
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
