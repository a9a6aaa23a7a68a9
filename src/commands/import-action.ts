import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { body } from '../formats/body.ts';
import type { Format } from '../formats/format.ts';
import { detectFormat, findFormat } from '../formats/list.ts';
import type { Added, NewEvent } from '../model/corpus.ts';
import type { FoundRequest } from '../model/event.ts';
import { findProvider, PROVIDERS } from '../providers/list.ts';
import { factsOf } from '../providers/locate.ts';
import { isoTime } from '../support/clock.ts';
import { messageOf, UserError } from '../support/errors.ts';
import { printable } from '../support/printable.ts';
import type { Context } from './context.ts';
import type { ImportFlags } from './import-flags.ts';
import { checkTags } from './tag-names.ts';
import { openCorpusFor, withCorpus } from './wire-corpus.ts';
import { completeRequest } from './wire-events.ts';

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

async function readEvents(file: string, flags: ImportFlags, context: Context): Promise<readonly NewEvent[]> {
  const bytes = await readBytes(file, context);
  const format = flags.format === undefined ? detectFormat(bytes, basename(file)) : findFormat(flags.format);
  if (format !== body) refuseBodyFlags(file, format, flags);
  const folder = file === '-' ? context.cwd : dirname(resolve(context.cwd, file));
  const requests = format.parse(bytes, {
    name: file === '-' ? 'standard input' : file,
    headers: [],
    method: flags.method,
    path: flags.path,
    readFile: (path) => readNamed(resolve(folder, path), path),
  });
  return requests.map((request) =>
    newEvent(format === body ? bareBody(request, flags, context) : request, flags, context),
  );
}

async function readBytes(file: string, { cwd, stdin }: Context): Promise<Uint8Array> {
  return file === '-' ? await buffer(stdin) : readNamed(resolve(cwd, file), file);
}

function readNamed(file: string, name: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UserError('UNREADABLE_FILE', `"${name}" cannot be read: ${messageOf(error)}.`, {
      hint: 'Check its path and its permissions.',
      cause: error,
    });
  }
}

function refuseBodyFlags(file: string, format: Format, { header, method, path, type }: ImportFlags): void {
  const given = Object.entries({ '--header': header, '--method': method, '--path': path, '--type': type });
  const flag = given.find(([, value]) => value !== undefined)?.[0];
  if (flag === undefined) return;
  throw new UserError('NOT_A_BODY', `"${file}" is ${format.title}, and ${flag} is only for a bare body.`, {
    hint: `Leave ${flag} away, or say --format body if the whole file is a body.`,
  });
}

/** Its headers are made up from what the provider requires, and marked so. */
function bareBody(request: FoundRequest, flags: ImportFlags, context: Context): FoundRequest {
  const { provider, type, header } = flags;
  return { ...request, ...completeRequest(request, { provider, type, header }, context), marks: ['bytes-lost'] };
}

function newEvent(request: FoundRequest, { provider, type, tag = [] }: ImportFlags, { clock }: Context): NewEvent {
  const { facts: stated = {}, ...rest } = request;
  // An export of another version may name a provider that is not known here; what it said of the event still holds.
  const known = PROVIDERS.some(({ id }) => id === stated.provider) ? stated.provider : undefined;
  return {
    ...rest,
    ...(type === undefined ? {} : { type }),
    ...factsOf(request, provider ?? known),
    ...(provider === undefined ? stated : {}),
    receivedAt: request.receivedAt ?? isoTime(clock.epochMs()),
    dated: request.receivedAt !== undefined,
    tags: [...new Set([...request.tags, ...tag])],
    origin: 'import',
  };
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
    context.out.write(`${JSON.stringify(document, null, 2)}\n`);
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
