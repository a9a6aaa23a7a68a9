import { body } from '../formats/body.ts';
import type { Format } from '../formats/format.ts';
import type { Added, NewEvent } from '../model/corpus.ts';
import { findProvider } from '../providers/list.ts';
import { isoTime } from '../support/clock.ts';
import { UserError } from '../support/errors.ts';
import { printable } from '../support/printable.ts';
import { readFileArgument } from './body-option.ts';
import type { Context } from './context.ts';
import { eventFile, eventsOfFile } from './event-file.ts';
import type { ImportFlags } from './import-flags.ts';
import { checkTags } from './tag-names.ts';
import { openCorpusFor, withCorpus } from './wire-corpus.ts';

type Imported = { readonly file: string; readonly event: NewEvent };

/**
 * 1. read   every file, before anything is kept
 * 2. keep   all events in one transaction
 * 3. say    what was new
 */
export async function importFiles(files: readonly string[], flags: ImportFlags, context: Context): Promise<void> {
  checkTags(flags.tag ?? []);
  if (flags.provider !== undefined) findProvider(flags.provider);
  const imported: Imported[] = [];
  for (const file of files) {
    for (const event of await readEvents(file, flags, context)) imported.push({ file, event });
  }
  await withCorpus(openCorpusFor(context, flags), (corpus) => {
    const added = corpus.add(imported.map(({ event }) => event));
    say(added, { imported, corpus: corpus.file, flags, context });
  });
}

async function readEvents(name: string, flags: ImportFlags, context: Context): Promise<readonly NewEvent[]> {
  const file = eventFile(name, await readFileArgument(name, context), flags.format);
  if (file.format !== body) refuseBodyFlags(name, file.format, flags);
  const { tag = [] } = flags;
  return eventsOfFile(file, flags, context).map((event) => ({
    ...event,
    receivedAt: event.receivedAt ?? isoTime(context.clock.epochMs()),
    dated: event.receivedAt !== undefined,
    tags: [...new Set([...event.tags, ...tag])],
    origin: 'import',
  }));
}

function refuseBodyFlags(file: string, format: Format, { header, method, path, type }: ImportFlags): void {
  const given = Object.entries({ '--header': header, '--method': method, '--path': path, '--type': type });
  const flag = given.find(([, value]) => value !== undefined)?.[0];
  if (flag === undefined) return;
  throw new UserError('NOT_A_BODY', `"${file}" is ${format.title}, and ${flag} is only for a bare body.`, {
    hint: `Leave ${flag} away, or say --format body if the whole file is a body.`,
  });
}

type Said = {
  readonly imported: readonly Imported[];
  readonly corpus: string;
  readonly flags: ImportFlags;
  readonly context: Context;
};

function say(added: readonly Added[], { imported, corpus, flags, context }: Said): void {
  const events = added.map(({ id, kept }, at) => {
    const { file, event } = imported[at] as Imported;
    return { id, kept, provider: event.provider, type: event.type ?? null, eventId: event.eventId ?? null, file };
  });
  const fresh = events.filter(({ kept }) => kept === 'new');
  const counts = { new: fresh.length, alreadyThere: events.length - fresh.length };
  if (flags.json) {
    const document = { schema: 'webhook-replay/import/1', corpus, ...counts, events };
    context.out.json(document);
    return;
  }
  for (const { id, provider, type, file } of fresh) {
    context.out.write(`${[id, provider, type ?? '-', file].map((cell) => printable(cell)).join('\t')}\n`);
  }
  if (flags.quiet) return;
  const there = counts.alreadyThere === 0 ? '' : `, ${counts.alreadyThere} already there`;
  context.err.write(`Imported into ${corpus}: ${counts.new} new${there}.\n`);
  if (fresh.length > 0) context.err.write('Next: webhook-replay replay last --to URL, or webhook-replay list\n');
}
