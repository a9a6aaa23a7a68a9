import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { parseHeaderOption } from '../deliver/header-option.ts';
import { detectFormat } from '../formats/list.ts';
import type { Corpus } from '../model/corpus.ts';
import type { EventFacts, FoundRequest, Headers, RawRequest, WebhookEvent } from '../model/event.ts';
import { detectProvider } from '../providers/detect.ts';
import { findProvider } from '../providers/list.ts';
import { factsOf } from '../providers/locate.ts';
import { requiredHeaders } from '../providers/required-headers.ts';
import { parseSelector } from '../select/parse-selector.ts';
import { type SelectPorts, selectEvents } from '../select/select-events.ts';
import { isoTime } from '../support/clock.ts';
import { messageOf, UserError } from '../support/errors.ts';
import { uniqueUuid } from '../support/random.ts';
import type { Context } from './context.ts';

/** Flags that say what events are. */
export type EventFlags = {
  readonly provider?: string | undefined;
  readonly type?: string | undefined;
  readonly header?: readonly string[] | undefined;
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
  const { fixtureEvents } = await import('./wire-fixtures.ts');
  const isFile = (path: string) => statSync(resolve(context.cwd, path), { throwIfNoEntry: false })?.isFile() ?? false;
  const ports: SelectPorts = {
    corpus: corpus ?? NO_CORPUS,
    readFile: (path) => eventsOfFile(path, options, context),
    fixture: (name) => fixtureEvents(name),
    run: (id) => eventsOfRun(id, corpus),
  };
  const parsed = selectors.map((selector) => parseSelector(selector, isFile));
  const events = await selectEvents(parsed, ports, { incomplete: options.force ? 'allow' : 'refuse' });
  const { provider } = options;
  return provider === undefined ? events : events.map((event) => ({ ...event, ...factsOf(event, provider) }));
}

/** For commands that need no corpus as long as no selector asks for one. */
const NO_CORPUS: SelectPorts['corpus'] = { get: () => undefined, events: () => [], list: () => [] };

function eventsOfRun(id: string, corpus: Corpus | undefined): readonly WebhookEvent[] {
  const run = corpus?.run(id);
  if (!run) return [];
  const ids = [...new Set((run.plan?.steps ?? []).map(({ delivery }) => delivery.event))];
  return ids.flatMap((event) => corpus?.get(event) ?? []);
}

function eventsOfFile(path: string, options: EventFlags, context: Context): readonly WebhookEvent[] {
  const file = resolve(context.cwd, path);
  const bytes = readBytes(file, path);
  const format = detectFormat(bytes, basename(file));
  const readFile = (other: string) => readBytes(resolve(dirname(file), other), other);
  const found = format.parse(bytes, { name: path, headers: [], readFile });
  return found.map((request, index) =>
    eventOfRequest(request, { number: index + 1, path, bare: format.id === 'body', options, context }),
  );
}

type Origin = {
  readonly number: number;
  readonly path: string;
  readonly bare: boolean;
  readonly options: EventFlags;
  readonly context: Context;
};

/** A file's events have no id of ours; the file's name and the place in it do as well. */
function eventOfRequest(request: FoundRequest, { number, path, bare, options, context }: Origin): WebhookEvent {
  const completed = bare
    ? completeRequest(request, options, context)
    : { ...request, ...factsOf(request, options.provider ?? request.facts?.provider) };
  return {
    ...completed,
    id: request.id ?? `${basename(path)}#${number}`,
    receivedAt: request.receivedAt ?? completed.occurredAt ?? isoTime(context.clock.epochMs()),
    tags: request.tags,
    marks: request.marks,
  };
}

/** Gives a bare body the headers its provider sends, and reads the facts out of what results. */
export function completeRequest(
  request: RawRequest,
  { provider, type, header = [] }: EventFlags,
  { clock }: Context,
): RawRequest & EventFacts {
  const given = header
    .map(parseHeaderOption)
    .flatMap((change) => (change.kind === 'set' ? [[change.name, change.value] as const] : []));
  const asGiven: RawRequest = { ...request, headers: [...request.headers, ...given] };
  const sender = provider === undefined ? detectProvider(asGiven) : findProvider(provider);
  const headers: Headers = requiredHeaders(sender, {
    payload: request.payload,
    type,
    headers: asGiven.headers,
    nowMs: clock.epochMs(),
    uuid: uniqueUuid,
  });
  const completed = { ...request, headers };
  return { ...completed, ...factsOf(completed, sender.id) };
}

function readBytes(file: string, name: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UserError('UNREADABLE_FILE', `"${name}" cannot be read: ${messageOf(error)}`);
  }
}
