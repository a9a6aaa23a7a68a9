import { basename, resolve } from 'node:path';
import type { Corpus } from '../model/corpus.ts';
import type { WebhookEvent } from '../model/event.ts';
import { deliveriesIn } from '../model/plan.ts';
import { findProvider } from '../providers/list.ts';
import { factsOf } from '../providers/locate.ts';
import { parseSelector } from '../select/parse-selector.ts';
import { type SelectPorts, selectEvents } from '../select/select-events.ts';
import { isoTime } from '../support/clock.ts';
import { UserError } from '../support/errors.ts';
import { isFile } from '../support/is-file.ts';
import type { BareBodyFlags } from './bare-body.ts';
import type { Context } from './context.ts';
import { eventFile, eventsOfFile } from './event-file.ts';
import { readNamedFile } from './read-file.ts';

/** Flags that say what events are. */
export type EventFlags = BareBodyFlags & {
  /** True: events of which not all was captured, too. */
  readonly force?: boolean | undefined;
};

type Choosing = { readonly options: EventFlags; readonly corpus: Corpus | undefined; readonly context: Context };

/** The events that selectors name, from corpus, files and fixtures, oldest first. `--provider` beats what was detected. */
export async function chooseEvents(
  selectors: readonly string[],
  { options, corpus, context }: Choosing,
): Promise<readonly WebhookEvent[]> {
  if (selectors.length === 0) {
    throw new UserError('NO_EVENT', 'There is no event to replay.', {
      hint: 'Name some: last, last:5, an id, @tag, type:GLOB, a file, or fixture:stripe/payment_intent.succeeded.',
    });
  }
  if (options.provider !== undefined) findProvider(options.provider);
  const ports: SelectPorts = {
    corpus: corpus ?? NO_CORPUS,
    readFile: (path) => fromFile(path, options, context),
    fixture: fromFixture,
    run: (id) => fromRun(id, corpus),
  };
  const parsed = selectors.map((selector) => parseSelector(selector, (path) => isFile(resolve(context.cwd, path))));
  const events = await selectEvents(parsed, ports, { incomplete: options.force ? 'allow' : 'refuse' });
  const { provider } = options;
  return provider === undefined ? events : events.map((event) => ({ ...event, ...factsOf(event, provider) }));
}

const SHOWN = 5;

/** The one event that a selector names. @throws UserError when it names several */
export async function oneEvent(selector: string, corpus: Corpus, context: Context): Promise<WebhookEvent> {
  const events = await chooseEvents([selector], { options: { force: true }, corpus, context });
  const [event] = events;
  if (event && events.length === 1) return event;
  const ids = events.slice(0, SHOWN).map(({ id }) => id);
  throw new UserError('SEVERAL_EVENTS', `"${selector}" names ${events.length} events; one can be shown at a time.`, {
    hint: `Choose one: ${ids.join(', ')}${events.length > SHOWN ? ', ...' : ''}.`,
  });
}

/** The events that selectors name, all of them events of the corpus: a file or a fixture cannot be changed here. */
export async function storedEvents(
  selectors: readonly string[],
  corpus: Corpus,
  context: Context,
): Promise<readonly WebhookEvent[]> {
  const events = await chooseEvents(selectors, { options: { force: true }, corpus, context });
  const foreign = events.find(({ id }) => corpus.get(id)?.id !== id);
  if (!foreign) return events;
  throw new UserError('NOT_IN_CORPUS', `"${foreign.id}" is not in the corpus.`, {
    hint: 'Put it there first: webhook-replay import FILE',
  });
}

/** For commands that need no corpus as long as no selector asks for one. */
const NO_CORPUS: SelectPorts['corpus'] = { get: () => undefined, events: () => [], list: () => [] };

/** A file's events have no id of ours; the file's name and the place in it do as well. */
function fromFile(path: string, flags: EventFlags, context: Context): readonly WebhookEvent[] {
  const file = eventFile(path, readNamedFile(path, context));
  return eventsOfFile(file, flags, context).map((event, index) => ({
    ...event,
    id: event.id ?? `${basename(path)}#${index + 1}`,
    receivedAt: event.receivedAt ?? event.occurredAt ?? isoTime(context.clock.epochMs()),
  }));
}

/** A sample event as an event of its own; its name is its id. */
async function fromFixture(name: string): Promise<readonly WebhookEvent[]> {
  const { findFixture } = await import('../fixtures/fixtures.ts');
  const { origin: _, ...event } = findFixture(name);
  return [{ ...event, id: `fixture:${name}` }];
}

function fromRun(id: string, corpus: Corpus | undefined): readonly WebhookEvent[] {
  const run = corpus?.run(id);
  if (!run) return [];
  const ids = [...new Set((run.plan ? deliveriesIn(run.plan) : []).map(({ delivery }) => delivery.event))];
  return ids.flatMap((event) => corpus?.get(event) ?? []);
}
