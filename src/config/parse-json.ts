import type { JsonNode, Member, Place } from './json-node.ts';

/** Text that is no JSON: what is wrong in one sentence, and where. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly place: Place;

  constructor(message: string, place: Place) {
    super(message);
    this.place = place;
  }
}

/** Reads JSON as `JSON.parse` does, and keeps the place of every value and name. A name that stands twice is an error, too. */
export function parseJson(text: string): JsonNode {
  const reader = createReader(text);
  const node = readValue(reader);
  reader.skipBlanks();
  if (!reader.atEnd()) throw reader.unexpected('the end of the file');
  return node;
}

type Reader = {
  readonly skipBlanks: () => void;
  readonly atEnd: () => boolean;
  /** The character that comes next, behind blanks. */
  readonly next: () => string;
  /** Steps over this character when it is next. */
  readonly takes: (char: string) => boolean;
  /** Steps over what matches right here. */
  readonly match: (pattern: RegExp) => string | undefined;
  readonly place: () => Place;
  readonly unexpected: (expected: string) => JsonSyntaxError;
};

function createReader(text: string): Reader {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) at += found.length;
    return found;
  };
  const skipBlanks = () => void match(/[ \t\r\n]*/y);
  const next = () => {
    skipBlanks();
    return text[at] ?? '';
  };
  const takes = (char: string) => {
    const is = next() === char;
    if (is) at += 1;
    return is;
  };
  const place = () => placeIn(text, at);
  return {
    skipBlanks,
    atEnd: () => at >= text.length,
    next,
    takes,
    match,
    place,
    unexpected: (expected) => new JsonSyntaxError(mistake(text.slice(at), expected), place()),
  };
}

function placeIn(text: string, at: number): Place {
  const before = text.slice(text.startsWith('\uFEFF') ? 1 : 0, at).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** The usual mistakes by their names. */
function mistake(rest: string, expected: string): string {
  if (rest === '') return `The file ends where ${expected} should stand.`;
  if (/^\/[/*]|^#/.test(rest)) return 'JSON has no comments.';
  if (rest.startsWith("'")) return 'A text in JSON stands in double quotes.';
  if (/^[}\]]/.test(rest) && expected.startsWith('a ')) return `There is a comma too much before "${rest[0]}".`;
  if (/^[A-Za-z_$][\w$-]*\s*:/.test(rest)) return 'A name in JSON stands in double quotes.';
  if (rest.startsWith('"') && expected.startsWith('"," or')) return 'A comma is missing before this text.';
  const [word = ''] = /^[\w.+-]{1,30}|^[\s\S]/.exec(rest) ?? [];
  return `Here stands "${word}" instead of ${expected}.`;
}

function readValue(reader: Reader): JsonNode {
  const first = reader.next();
  const place = reader.place();
  if (first === '{') return { place, ...readObject(reader) };
  if (first === '[') return { place, ...readArray(reader) };
  if (first === '"') return { place, value: readText(reader) };
  const literal = reader.match(/(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y);
  if (literal === undefined) throw reader.unexpected('a value');
  return { place, value: JSON.parse(literal) as unknown };
}

function readObject(reader: Reader): Pick<JsonNode, 'value' | 'members'> {
  const members = new Map<string, Member>();
  reader.takes('{');
  if (!reader.takes('}')) {
    do {
      const [key, member] = readMember(reader);
      if (members.has(key)) throw new JsonSyntaxError(`"${key}" stands here a second time.`, member.keyPlace);
      members.set(key, member);
    } while (reader.takes(','));
    if (!reader.takes('}')) throw reader.unexpected('"," or "}"');
  }
  return { value: Object.fromEntries([...members].map(([key, { node }]) => [key, node.value])), members };
}

function readMember(reader: Reader): readonly [string, Member] {
  if (reader.next() !== '"') throw reader.unexpected('a name in double quotes');
  const keyPlace = reader.place();
  const key = readText(reader);
  if (!reader.takes(':')) throw reader.unexpected('":"');
  return [key, { keyPlace, node: readValue(reader) }];
}

function readArray(reader: Reader): Pick<JsonNode, 'value' | 'items'> {
  const items: JsonNode[] = [];
  reader.takes('[');
  if (!reader.takes(']')) {
    do items.push(readValue(reader));
    while (reader.takes(','));
    if (!reader.takes(']')) throw reader.unexpected('"," or "]"');
  }
  return { value: items.map(({ value }) => value), items };
}

function readText(reader: Reader): string {
  const place = reader.place();
  const quoted = reader.match(/"(?:[^"\\\n\r]|\\[^\n\r])*"/y);
  if (quoted === undefined) throw new JsonSyntaxError('The text that begins here does not end on its line.', place);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new JsonSyntaxError(
      'The text that begins here has an escape or a control character that JSON does not know.',
      place,
    );
  }
}
