import type { Header, Headers } from '../model/event.ts';

/** A header to write. With several names, those that are there are written; when none is, the first. */
export type PutHeader = { readonly names: readonly string[]; readonly value: string };

/**
 * Writes values where the headers already stand: position and spelling are the request's own. A further header of the
 * same name goes; a missing one is added at the end; all others, repeated ones too, stay.
 */
export function putHeaders(headers: Headers, puts: readonly PutHeader[]): Headers {
  const byName = new Map(puts.flatMap((put) => put.names.map((name) => [name.toLowerCase(), put] as const)));
  const written = new Set<string>();
  const done = new Set<PutHeader>();
  const result: Header[] = [];
  for (const header of headers) {
    const name = header[0].toLowerCase();
    const put = byName.get(name);
    if (!put) result.push(header);
    else if (!written.has(name)) result.push([header[0], put.value]);
    if (!put) continue;
    written.add(name);
    done.add(put);
  }
  for (const put of puts) {
    if (!done.has(put)) result.push([put.names[0] ?? '', put.value]);
  }
  return result;
}
