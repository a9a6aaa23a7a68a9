import type { Header, Headers } from '../model/event.ts';

/** A header to write. With several names, those that are there are written; when none is, the first. */
export type PutHeader = { readonly names: readonly string[]; readonly value: string };

/**
 * Writes values where the headers already stand: position and spelling are the request's own. A further header of the
 * same name goes; a missing one is added at the end; all others, repeated ones too, stay.
 */
export function putHeaders(headers: Headers, puts: readonly PutHeader[]): Headers {
  const wanted = puts.map(({ names, value }) => ({ names: names.map((name) => name.toLowerCase()), value }));
  const written: string[] = [];
  const result: Header[] = [];
  for (const header of headers) {
    const name = header[0].toLowerCase();
    const put = wanted.find(({ names }) => names.includes(name));
    if (!put) result.push(header);
    if (!put || written.includes(name)) continue;
    result.push([header[0], put.value]);
    written.push(name);
  }
  for (const { names, value } of puts) {
    if (!names.some((name) => written.includes(name.toLowerCase()))) result.push([names[0] ?? '', value]);
  }
  return result;
}
