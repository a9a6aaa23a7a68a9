/** A parsed document that lost nothing: integers beyond 2^53 are `bigint`, other numbers a double cannot hold stay as their text. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Throws `SyntaxError` for what is not JSON. */
export function parseExactJson(text: string): Json {
  const plain = JSON.parse(text) as Json;
  if (!/\d{16}|\d[eE.]/.test(text)) return plain;
  const mark = unusedMark(text);
  const marked = text.replace(TOKEN, (token) =>
    token.startsWith('"') || isExact(token) ? token : `"${mark.source}${token}"`,
  );
  return JSON.parse(marked, (_name, value: Json) =>
    typeof value === 'string' && value.startsWith(mark.value) ? exactNumber(value.slice(mark.value.length)) : value,
  ) as Json;
}

/** One canonical text for equal documents: members in the order of their names. */
export function textOfJson(json: Json): string {
  if (typeof json === 'bigint') return String(json);
  if (json === null || typeof json !== 'object') return JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map(textOfJson).join(',')}]`;
  const members = Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${textOfJson(value)}`).join(',')}}`;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A text can start with NUL only by the escape itself, so a run of escapes that is nowhere in the document marks without doubt. */
function unusedMark(text: string): { readonly source: string; readonly value: string } {
  let source = '\\u0000';
  let value = '\u0000';
  while (text.includes(source)) {
    source += '\\u0000';
    value += '\u0000';
  }
  return { source, value };
}

function isExact(number: string): boolean {
  if (/^-?\d+$/.test(number)) return Number.isSafeInteger(Number(number));
  const digits = number
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '');
  const value = Number(number);
  // 15 significant digits always survive a double; more do when it was a double that was printed.
  return String(value) === number || (digits.length <= 15 && Number.isFinite(value) && (value !== 0 || digits === ''));
}

function exactNumber(number: string): bigint | string {
  return /^-?\d+$/.test(number) ? BigInt(number) : number;
}
