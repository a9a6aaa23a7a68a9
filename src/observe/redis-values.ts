import type { ChainableCommander, Redis } from 'ioredis';
import type { Cell, Collection, Row } from '../model/effect.ts';
import { pushTo } from '../support/push-to.ts';
import { shownBytes, textOfBytes } from './shown-bytes.ts';

const KEYS_AT_ONCE = 500;
const MOST_TRIES = 5;

/** How the values of one type become rows. */
type Reading = {
  /** The collection's name. */
  readonly name: string;
  readonly ask: (pipeline: ChainableCommander, key: Buffer) => unknown;
  readonly rows: (key: string, answer: readonly Buffer[]) => readonly Row[];
};

type Cells = Readonly<Record<string, Cell>>;

/**
 * - `strings`: a row per key; `hashes`: a row per key, its fields are the cells
 * - `lists`, `sets`, `zsets`: a row per element, named by key and content
 * - `streams`: a row per entry, named by key and id
 */
const READINGS: Readonly<Record<string, Reading>> = {
  string: {
    name: 'strings',
    ask: (pipeline, key) => pipeline.callBuffer('GET', key),
    rows: (key, [value]) => (value ? [{ key, cells: { value: cellOf(value) } }] : []),
  },
  hash: {
    name: 'hashes',
    ask: (pipeline, key) => pipeline.callBuffer('HGETALL', key),
    rows: (key, answer) => (answer.length === 0 ? [] : [{ key, cells: fieldCells(answer) }]),
  },
  list: {
    name: 'lists',
    ask: (pipeline, key) => pipeline.callBuffer('LRANGE', key, 0, -1),
    rows: (key, elements) =>
      elementRows(
        key,
        elements.map((element) => [element, {}]),
      ),
  },
  set: {
    name: 'sets',
    ask: (pipeline, key) => pipeline.callBuffer('SMEMBERS', key),
    rows: (key, members) =>
      elementRows(
        key,
        members.map((member) => [member, {}]),
      ),
  },
  zset: {
    name: 'zsets',
    ask: (pipeline, key) => pipeline.callBuffer('ZRANGE', key, 0, -1, 'WITHSCORES'),
    rows: (key, answer) =>
      elementRows(
        key,
        pairsOf(answer).map(([member, score]) => [member, { score: numberOf(score) }]),
      ),
  },
  stream: {
    name: 'streams',
    ask: (pipeline, key) => pipeline.callBuffer('XRANGE', key, '-', '+'),
    rows: (key, answer) => (answer as unknown as readonly StreamEntry[]).map((entry) => entryRow(key, entry)),
  },
};

/** A type of a module: by its digest. */
const OTHER: Reading = {
  name: 'others',
  ask: (pipeline, key) => pipeline.callBuffer('DUMP', key),
  rows: (key, [dump]) => (dump ? [{ key, cells: { value: shownBytes(dump) } }] : []),
};

type StreamEntry = readonly [id: Buffer, fields: readonly Buffer[]];

/** What the keys hold now; a key that is gone by now holds nothing. How long it will live is not looked at. */
export async function readValues(client: Redis, keys: readonly Buffer[]): Promise<readonly Collection[]> {
  const found = new Map<string, Row[]>();
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    await readSome(client, { keys: keys.slice(at, at + KEYS_AT_ONCE), found, tries: MOST_TRIES });
  }
  return [...found].map(([name, rows]) => ({ name, rows }));
}

type Some = { readonly keys: readonly Buffer[]; readonly found: Map<string, Row[]>; readonly tries: number };

/** A key whose type changed between the two questions is asked again. */
async function readSome(client: Redis, { keys, found, tries }: Some): Promise<void> {
  const readings = await readingsOf(client, keys);
  const asking = client.pipeline();
  for (const { key, reading } of readings) reading.ask(asking, key);
  const answers = (await asking.exec()) ?? [];
  const changed: Buffer[] = [];
  for (const [index, { key, reading }] of readings.entries()) {
    const [error, answer] = answers[index] ?? [];
    if (error?.message.startsWith('WRONGTYPE') && tries > 1) changed.push(key);
    else if (error) throw error;
    else for (const row of rowsOf(key, reading, answer)) pushTo(found, reading.name, row);
  }
  if (changed.length > 0) await readSome(client, { keys: changed, found, tries: tries - 1 });
}

async function readingsOf(client: Redis, keys: readonly Buffer[]) {
  const asking = client.pipeline();
  for (const key of keys) asking.call('TYPE', key);
  const answers = (await asking.exec()) ?? [];
  return keys.flatMap((key, index) => {
    const [error, type] = answers[index] ?? [];
    if (error) throw error;
    return type === 'none' ? [] : [{ key, reading: READINGS[String(type)] ?? OTHER }];
  });
}

function rowsOf(key: Buffer, { rows }: Reading, answer: unknown): readonly Row[] {
  const list = Array.isArray(answer) ? (answer as readonly Buffer[]) : Buffer.isBuffer(answer) ? [answer] : [];
  return rows(nameOfBytes(key), list);
}

/** Equal elements are told apart by a count, so that one more of them is one added row wherever it stands. */
function elementRows(key: string, elements: ReadonlyArray<readonly [value: Buffer, more: Cells]>): readonly Row[] {
  const seen = new Map<string, number>();
  return elements.map(([bytes, more]) => {
    const text = nameOfBytes(bytes);
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    const name = count === 1 ? `${key} ${text}` : `${key} ${text}\n${count}`;
    return { key: name, cells: { key, value: cellOf(bytes), ...more } };
  });
}

function entryRow(key: string, [id, fields]: StreamEntry): Row {
  return { key: `${key} ${id}`, cells: { key, ...fieldCells(fields) } };
}

function fieldCells(flat: readonly Buffer[]): Cells {
  return Object.fromEntries(pairsOf(flat).map(([name, value]) => [nameOfBytes(name), cellOf(value)]));
}

function pairsOf(flat: readonly Buffer[]): ReadonlyArray<readonly [Buffer, Buffer]> {
  return flat.flatMap((first, index) =>
    index % 2 === 0 ? [[first, flat[index + 1] ?? Buffer.alloc(0)] as const] : [],
  );
}

const MOST_BYTES = 64 * 1024;

function cellOf(bytes: Buffer): Cell {
  if (bytes.length > MOST_BYTES) return shownBytes(bytes);
  return textOfBytes(bytes) ?? { bytes: bytes.toString('hex') };
}

export function nameOfBytes(bytes: Buffer): string {
  return textOfBytes(bytes) ?? `hex:${bytes.toString('hex')}`;
}

/** A score is a double; `inf` and what a number would print otherwise stay text. */
function numberOf(bytes: Buffer): Cell {
  const text = bytes.toString();
  return String(Number(text)) === text ? Number(text) : text;
}
