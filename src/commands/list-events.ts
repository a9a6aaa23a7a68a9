import type { Command } from 'commander';
import type { EventSummary } from '../model/corpus.ts';
import type { Context, GlobalOptions } from './context.ts';
import { defineCommand, optionsOf } from './define.ts';
import { addEventFilterOptions, type EventFilterOptions, eventFilterOf } from './event-filter-options.ts';
import { wholeNumber } from './number-option.ts';

type ListFlags = GlobalOptions & EventFilterOptions & { readonly limit: number; readonly after?: string | undefined };

export function registerList(program: Command, context: Context): void {
  const command = defineCommand(program, 'list', {
    group: 'corpus',
    summary: 'List the events of the corpus, newest first.',
    examples: ['list', "list --type 'invoice.*' --since 2h", 'list --provider stripe --json', 'list --after Xt9Kp2'],
  }).alias('ls');
  addEventFilterOptions(command)
    .optionsGroup('How many:')
    .option('-n, --limit <n>', 'show at most so many', wholeNumber({ min: 1 }), 50)
    .option('--after <id>', 'go on behind this event, towards older ones')
    .action(async (_options: unknown, self: Command) => {
      await listEvents(optionsOf<ListFlags>(self), context);
    });
}

async function listEvents(flags: ListFlags, context: Context): Promise<void> {
  const { openCorpusFor, withCorpus } = await import('./wire-corpus.ts');
  const filter = eventFilterOf(flags, context.clock.epochMs());
  await withCorpus(openCorpusFor(context, flags, 'read'), async (corpus) => {
    // One more than shown tells whether there are more.
    const found = corpus.list(filter, { limit: flags.limit + 1, order: 'newest-first', after: flags.after });
    const shown = found.slice(0, flags.limit);
    const next = found.length > flags.limit ? shown.at(-1)?.id : undefined;
    if (flags.json) {
      const document = { schema: 'webhook-replay/events/1', events: shown, next: next ?? null };
      return context.out.json(document);
    }
    context.out.write(await asText(shown, context));
    if (flags.quiet) return;
    if (shown.length === 0) context.err.write(nothing(corpus.count({}), corpus.file));
    if (next !== undefined) context.err.write(`There are more: give the same command with --after ${next}\n`);
  });
}

async function asText(events: readonly EventSummary[], { out, clock }: Context): Promise<string> {
  const { renderTable } = await import('../support/table.ts');
  const { answerWord, timeText } = await import('./event-texts.ts');
  const nowMs = clock.epochMs();
  return await renderTable({
    columns: [
      { title: 'ID' },
      { title: 'RECEIVED' },
      { title: 'PROVIDER' },
      { title: 'TYPE' },
      { title: 'EVENT' },
      { title: 'BYTES', align: 'right' },
      { title: 'ANSWER' },
      { title: 'NOTES' },
    ],
    rows: events.map((event) => [
      event.id,
      out.isTerminal ? timeText(event.receivedAt, nowMs) : event.receivedAt,
      event.provider,
      event.type ?? '',
      event.eventId ?? '',
      String(event.payloadBytes),
      answerWord(event.answer),
      [...event.marks, ...event.tags.map((tag) => `@${tag}`)].join(' '),
    ]),
    width: out.columns,
    plain: !out.isTerminal,
    paint: out.paint,
  });
}

function nothing(inAll: number, file: string): string {
  return inAll === 0
    ? `There are no events yet in ${file}. Fill it with: webhook-replay capture, or webhook-replay import FILE\n`
    : `No event matches; there are ${inAll} in all.\n`;
}
