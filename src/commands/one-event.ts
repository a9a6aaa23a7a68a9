import type { Corpus } from '../model/corpus.ts';
import type { WebhookEvent } from '../model/event.ts';
import { UserError } from '../support/errors.ts';
import type { Context } from './context.ts';
import { chooseEvents } from './wire-events.ts';

const SHOWN = 5;

/** The event that a selector names. @throws UserError when it names several */
export async function oneEvent(selector: string, corpus: Corpus, context: Context): Promise<WebhookEvent> {
  const events = await chooseEvents([selector], { options: { force: true }, corpus, context });
  const [event] = events;
  if (event && events.length === 1) return event;
  const ids = events.slice(0, SHOWN).map(({ id }) => id);
  throw new UserError('SEVERAL_EVENTS', `"${selector}" names ${events.length} events; one can be shown at a time.`, {
    hint: `Choose one: ${ids.join(', ')}${events.length > SHOWN ? ', ...' : ''}.`,
  });
}
