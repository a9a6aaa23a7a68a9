import { basename, dirname, resolve } from 'node:path';
import { body } from '../formats/body.ts';
import type { Format } from '../formats/format.ts';
import { detectFormat, findFormat } from '../formats/list.ts';
import type { EventFacts, FoundRequest } from '../model/event.ts';
import { PROVIDERS } from '../providers/list.ts';
import { factsOf } from '../providers/locate.ts';
import { type BareBodyFlags, completeRequest } from './bare-body.ts';
import type { Context } from './context.ts';
import { readNamedFile } from './read-file.ts';

/** A file with events in it, read but not understood yet. */
export type EventFile = {
  /** As the user named it; `-` for standard input. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly format: Format;
};

/** A request of a file with what the file states of it, and what its bytes and headers tell. */
export type FileEvent = Omit<FoundRequest, 'facts'> & EventFacts;

export type EventFileFlags = BareBodyFlags & {
  /** Of a bare body. */
  readonly method?: string | undefined;
  readonly path?: string | undefined;
};

/** @param format its id; detected from content and name when absent */
export function eventFile(name: string, bytes: Uint8Array, format?: string): EventFile {
  return { name, bytes, format: format === undefined ? detectFormat(bytes, basename(name)) : findFormat(format) };
}

/** All events of the file, in its order. `--provider` beats what the file states and what is detected. */
export function eventsOfFile(
  { name, bytes, format }: EventFile,
  flags: EventFileFlags,
  context: Context,
): readonly FileEvent[] {
  const isInput = name === '-';
  const folder = isInput ? context.cwd : dirname(resolve(context.cwd, name));
  const requests = format.parse(bytes, {
    name: isInput ? 'standard input' : name,
    method: flags.method,
    path: flags.path,
    readFile: (path) => readNamedFile(path, { cwd: folder }),
  });
  return requests.map((request) => withFacts(format === body ? bareBody(request, flags, context) : request, flags));
}

/** Its headers are made up from what the provider requires, and marked so. */
function bareBody(request: FoundRequest, flags: BareBodyFlags, context: Context): FoundRequest {
  return { ...request, ...completeRequest(request, flags, context), marks: ['bytes-lost'] };
}

function withFacts(request: FoundRequest, { provider, type }: BareBodyFlags): FileEvent {
  const { facts: stated = {}, ...rest } = request;
  // An export of another version may name a provider that is not known here; what it said of the event still holds.
  const known = PROVIDERS.some(({ id }) => id === stated.provider) ? stated.provider : undefined;
  return {
    ...rest,
    ...(type === undefined ? {} : { type }),
    ...factsOf(request, provider ?? known),
    ...(provider === undefined ? stated : {}),
  };
}
