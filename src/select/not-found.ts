import type { Corpus, EventSummary } from '../model/corpus.ts';
import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';
import type { Selector } from './parse-selector.ts';

/** Among so many of the newest events a near one is looked for. */
const LOOKED_AT = 1000;
const SHOWN = 6;

/** The error for a selector that names nothing, with the nearest thing that is there. */
export function notFound(selector: Selector, corpus: Pick<Corpus, 'list'>): UserError {
  const newest = corpus.list({}, { limit: LOOKED_AT, order: 'newest-first' });
  return new UserError('NOTHING_SELECTED', messageFor(selector), { hint: hintFor(selector, newest) });
}

function messageFor(selector: Selector): string {
  switch (selector.kind) {
    case 'id':
      return /[/\\]/.test(selector.id)
        ? `There is no file "${selector.id}", and no event with that id.`
        : `There is no event with the id "${selector.id}".`;
    case 'last':
      return 'There is no last event: the corpus is empty.';
    case 'tag':
      return `No event has the tag "${selector.glob}".`;
    case 'type':
      return `No event has the type "${selector.glob}".`;
    case 'provider':
      return `No event is from the provider "${selector.glob}".`;
    case 'file':
      return `The file "${selector.path}" holds no event.`;
    case 'fixture':
      return `There is no fixture "${selector.name}".`;
    case 'run':
      return `There is no run "${selector.id}", or it keeps no events.`;
    case 'finding':
      return `There is no finding "${selector.id}", or it keeps no events.`;
  }
}

function hintFor(selector: Selector, newest: readonly EventSummary[]): string {
  switch (selector.kind) {
    case 'fixture':
      return 'webhook-replay fixtures lists them.';
    case 'run':
    case 'finding':
      return 'It stands in the last line of a report.';
    case 'file':
      return 'Choose a file with a request or a body in it.';
    default:
      return newest.length === 0
        ? 'The corpus is empty. Fill it with webhook-replay capture or import, or use a fixture: fixture:stripe/NAME.'
        : nearOf(selector, newest);
  }
}

function nearOf(selector: Selector, newest: readonly EventSummary[]): string {
  switch (selector.kind) {
    case 'tag':
      return near(selector.glob, distinct(newest.flatMap(({ tags }) => tags)), '@');
    case 'type':
      return near(selector.glob, distinct(newest.map(({ type }) => type)), 'type:');
    case 'provider':
      return near(selector.glob, distinct(newest.map(({ provider }) => provider)), 'provider:');
    case 'id':
      return near(selector.id, distinct(newest.flatMap(({ id, eventId }) => [id, eventId])), '');
    default:
      return 'webhook-replay list shows what is there.';
  }
}

function near(word: string, present: readonly string[], prefix: string): string {
  const close = nearest(word, present);
  if (close !== undefined) return `Did you mean "${prefix}${close}"?`;
  if (present.length === 0) return 'webhook-replay list shows what is there.';
  const more = present.length > SHOWN ? ', ...' : '.';
  return `There are: ${present.slice(0, SHOWN).join(', ')}${more} webhook-replay list shows all.`;
}

function distinct(words: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(words.filter((word) => word !== undefined))];
}
