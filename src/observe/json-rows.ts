import { createHash } from 'node:crypto';
import type { Cell, Collection, Row, Snapshot } from '../model/effect.ts';
import { pointerStep, pointerSteps } from '../support/json-pointer.ts';
import { type Json, textOfJson } from './exact-json.ts';

/**
 * A JSON document as rows that can be compared.
 *
 * - A number, text, true, false or null, however deep in objects: a row of the collection `value`, its key the JSON
 *   pointer, its one cell `value`. A number is a counter.
 * - An array: a collection named after its last pointer part (`items` at the root), a row per element. The key is the
 *   pointer with the element's `id` as the last part where all have different ones, else with a digest of its content
 *   and a count, so that an element in front of the others is one added row. Cells are the element's members, members
 *   of nested objects as `address/city`; deeper arrays stay as JSON text.
 */
export function rowsOfJson(json: Json, pointer: string): Snapshot {
  const found = new Map<string, Row[]>();
  collect({ json, pointer, found });
  return { collections: [...found].map(([name, rows]): Collection => ({ name, rows })) };
}

/** The value at a JSON pointer (RFC 6901), or `undefined` when there is none. */
export function valueAt(json: Json, pointer: string): Json | undefined {
  let value: Json | undefined = json;
  for (const step of pointerSteps(pointer)) value = value === undefined ? undefined : memberOf(value, step);
  return value;
}

function memberOf(json: Json, name: string): Json | undefined {
  if (isArray(json)) return /^\d+$/.test(name) ? json[Number(name)] : undefined;
  return isObject(json) && Object.hasOwn(json, name) ? json[name] : undefined;
}

type Place = { readonly json: Json; readonly pointer: string; readonly found: Map<string, Row[]> };

function collect({ json, pointer, found }: Place): void {
  if (isArray(json)) {
    addRows(found, pointer.split('/').at(-1) || 'items', arrayRows(json, pointer));
  } else if (isObject(json) && Object.keys(json).length > 0) {
    for (const [name, value] of Object.entries(json)) collect({ json: value, pointer: join(pointer, name), found });
  } else {
    addRows(found, 'value', [{ key: pointer, cells: { value: isObject(json) ? '{}' : json } }]);
  }
}

function addRows(found: Map<string, Row[]>, name: string, rows: readonly Row[]): void {
  const present = found.get(name) ?? [];
  for (const row of rows) present.push(row);
  found.set(name, present);
}

function arrayRows(elements: readonly Json[], pointer: string): readonly Row[] {
  const ids = elements.map(idOf);
  const haveIds = !ids.includes(undefined) && new Set(ids).size === ids.length;
  const seen = new Map<string, number>();
  return elements.map((element, index) => ({
    key: join(pointer, haveIds ? (ids[index] ?? '') : contentKey(element, seen)),
    cells: cellsOf(element),
  }));
}

function idOf(element: Json): string | undefined {
  const id = isObject(element) && Object.hasOwn(element, 'id') ? element['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : undefined;
}

function contentKey(element: Json, seen: Map<string, number>): string {
  const digest = createHash('sha256').update(textOfJson(element)).digest('hex').slice(0, 16);
  const count = (seen.get(digest) ?? 0) + 1;
  seen.set(digest, count);
  return count === 1 ? digest : `${digest}-${count}`;
}

function cellsOf(element: Json): Readonly<Record<string, Cell>> {
  if (!isObject(element)) return { value: isArray(element) ? textOfJson(element) : element };
  return Object.fromEntries(members(element, ''));
}

function members(object: { readonly [name: string]: Json }, prefix: string): readonly [string, Cell][] {
  return Object.entries(object).flatMap(([name, value]): readonly [string, Cell][] => {
    const path = `${prefix}${pointerStep(name)}`;
    if (isArray(value)) return [[path, textOfJson(value)]];
    if (!isObject(value)) return [[path, value]];
    return Object.keys(value).length === 0 ? [[path, '{}']] : members(value, `${path}/`);
  });
}

function isArray(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

function isObject(json: Json): json is { readonly [name: string]: Json } {
  return json !== null && typeof json === 'object' && !Array.isArray(json);
}

function join(pointer: string, part: string): string {
  return `${pointer}/${pointerStep(part)}`;
}
