import { mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeJsonlEvent } from '../formats/jsonl.ts';
import { writeRawHttp } from '../formats/raw-http.ts';
import { writeCurl } from '../formats/write-curl.ts';
import type { Corpus } from '../model/corpus.ts';
import type { WebhookEvent } from '../model/event.ts';
import { messageOf, UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';
import { printable } from '../support/printable.ts';
import type { Context } from './context.ts';
import type { ExportFlags } from './export-flags.ts';
import { openCorpusFor, withCorpus } from './wire-corpus.ts';
import { chooseEvents } from './wire-events.ts';
import { writeAtomically } from './write-atomically.ts';

/** Where curl lines go: a pasted line must not reach the receiver of the capture. */
const CURL_ORIGIN = 'http://localhost:3000';
const PAGE = 200;

type Written = (event: WebhookEvent, corpus: Corpus) => Uint8Array;

const WRITERS: Readonly<Record<string, Written>> = {
  jsonl: (event, corpus) => Buffer.from(writeJsonlEvent(event, corpus.answerOf(event.id))),
  http: writeRawHttp,
  curl: (event) => Buffer.from(`${commentOf(event)}${writeCurl(event, { origin: CURL_ORIGIN })}\n`),
};

export async function exportEvents(selectors: readonly string[], flags: ExportFlags, context: Context): Promise<void> {
  const format = formatOf(flags);
  if (flags.json && flags.output === '-') {
    throw new UserError('EXPORT_TO_OUTPUT', 'With --json, standard output holds the summary, not the events.', {
      hint: 'Name a file with --output FILE, or leave --json away.',
    });
  }
  await withCorpus(openCorpusFor(context, flags, 'read'), async (corpus) => {
    const events = selectors.length === 0 ? allOf(corpus) : await chosen(selectors, corpus, context);
    const written = writeAll(events, { format, corpus, flags, context });
    if (written.count === 0) {
      throw new UserError('NOTHING_SELECTED', 'There is nothing to export: the corpus is empty.', {
        hint: 'Fill it with webhook-replay capture or import, or name a file or a fixture.',
      });
    }
    say(written, flags, context);
  });
}

function formatOf({ format, output }: ExportFlags): string {
  const ending = /\.(jsonl|http|curl)$/i.exec(output)?.[1]?.toLowerCase();
  const id = format ?? ending ?? 'jsonl';
  if (Object.hasOwn(WRITERS, id)) return id;
  const names = Object.keys(WRITERS);
  const close = nearest(id, names);
  throw new UserError('UNKNOWN_FORMAT', `Events cannot be exported as "${id}".`, {
    hint: close ? `Did you mean ${close}?` : `Choose one of: ${names.join(', ')}.`,
  });
}

async function chosen(
  selectors: readonly string[],
  corpus: Corpus,
  context: Context,
): Promise<readonly WebhookEvent[]> {
  return await chooseEvents(selectors, { options: { force: true }, corpus, context });
}

/** Oldest first, a page at a time. */
function* allOf(corpus: Corpus): Generator<WebhookEvent> {
  for (let after: string | undefined; ; ) {
    const page = corpus.events({}, { limit: PAGE, order: 'oldest-first', after });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.id;
  }
}

type Target = {
  readonly format: string;
  readonly corpus: Corpus;
  readonly flags: ExportFlags;
  readonly context: Context;
};
type Export = { readonly count: number; readonly files: readonly string[] };

function writeAll(events: Iterable<WebhookEvent>, target: Target): Export {
  const { format, corpus, flags, context } = target;
  if (format === 'http') return writeRequests([...events], target);
  const write = WRITERS[format] as Written;
  let count = 0;
  const bytes = function* () {
    for (const event of events) {
      count++;
      yield write(event, corpus);
    }
  };
  if (flags.output === '-') {
    for (const part of bytes()) context.out.writeBytes(part);
    return { count, files: [] };
  }
  const file = resolve(context.cwd, flags.output);
  guarded(flags.output, () => writeAtomically(file, bytes()));
  return { count, files: [file] };
}

/** A raw HTTP file holds one request, so several go into a folder. */
function writeRequests(events: readonly WebhookEvent[], { flags, context }: Target): Export {
  const [first] = events;
  const path = resolve(context.cwd, flags.output);
  const isFolder = /[/\\]$/.test(flags.output) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder && events.length > 1) {
    throw new UserError('NEEDS_FOLDER', `A raw HTTP file holds one request, and these are ${events.length}.`, {
      hint: 'Name a folder, for example --output requests/, or use --format jsonl.',
    });
  }
  if (!first) return { count: 0, files: [] };
  if (flags.output === '-') {
    context.out.writeBytes(writeRawHttp(first));
    return { count: 1, files: [] };
  }
  const files = events.map((event) => {
    const file = isFolder ? join(path, `${fileName(event)}.http`) : path;
    guarded(flags.output, () => {
      if (isFolder) mkdirSync(path, { recursive: true });
      writeAtomically(file, [writeRawHttp(event)]);
    });
    return file;
  });
  return { count: files.length, files };
}

/** Sorts by time, says what it is, and is a legal name everywhere; the id keeps it unique. */
function fileName({ receivedAt, provider, type, id }: WebhookEvent): string {
  const time = receivedAt.replace(/[-:]/g, '').replace('.', '');
  return [time, provider, type ?? 'event', id]
    .map((part) => part.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60))
    .join('_');
}

function commentOf({ id, provider, type, receivedAt, marks }: WebhookEvent): string {
  const words = [id, provider, type ?? '', receivedAt, ...marks].filter((word) => word !== '');
  return `# ${printable(words.join(' '))}\n`;
}

function guarded(name: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UserError('CANNOT_WRITE', `"${name}" cannot be written: ${messageOf(error)}.`, {
      hint: 'Name a file in a folder that exists and may be written.',
      cause: error,
    });
  }
}

function say({ count, files }: Export, flags: ExportFlags, { out, err }: Context): void {
  if (flags.json) {
    out.json({ schema: 'webhook-replay/export/1', events: count, files });
  } else if (!flags.quiet && flags.output !== '-') {
    err.write(`Exported ${count === 1 ? '1 event' : `${count} events`} to ${flags.output}.\n`);
  }
}
