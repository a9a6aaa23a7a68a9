import type { EventSummary } from '../model/corpus.ts';
import { printable } from '../support/printable.ts';
import type { Context, GlobalOptions } from './context.ts';
import { timeText } from './event-texts.ts';
import { openCorpusFor, withCorpus } from './wire-corpus.ts';

/** An event as it is offered for a choice. */
export type EventChoice = {
  /** Names it on a command line. */
  readonly selector: string;
  readonly text: string;
};

/** Older ones are named by id or type. */
const NEWEST = 1000;

/** The newest events of the corpus, newest first, then the sample events. */
export async function eventChoices(
  options: Pick<GlobalOptions, 'corpus'>,
  context: Context,
): Promise<readonly EventChoice[]> {
  const { FIXTURES } = await import('../fixtures/fixtures.ts');
  const nowMs = context.clock.epochMs();
  const stored = await withCorpus(openCorpusFor(context, options, 'read'), (corpus) =>
    corpus.list({}, { limit: NEWEST, order: 'newest-first' }),
  );
  return [
    ...stored.map((event) => ({ selector: event.id, text: textOf(event, nowMs) })),
    ...FIXTURES.map(({ name, summary }) => ({ selector: `fixture:${name}`, text: `fixture:${name}  ${summary}` })),
  ];
}

/** Those that have every word, wherever. */
export function matching(choices: readonly EventChoice[], words: string): readonly EventChoice[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return choices.filter(({ text }) => wanted.every((word) => text.toLowerCase().includes(word)));
}

function textOf({ id, provider, type, eventId, receivedAt }: EventSummary, nowMs: number): string {
  const parts = [id, type ?? 'no type', provider, eventId, timeText(receivedAt, nowMs)];
  return parts.flatMap((part) => (part === undefined ? [] : [printable(part)])).join('  ');
}
