import type { Corpus } from '../model/corpus.ts';
import type { WebhookEvent } from '../model/event.ts';
import { UserError } from '../support/errors.ts';
import type { Context } from './context.ts';
import { chooseEvents } from './wire-events.ts';

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
