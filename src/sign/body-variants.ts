export type BodyVariant = {
  readonly bytes: Uint8Array;
  /** Completes "the signature is right for ...". */
  readonly words: string;
};

/** Bodies as proxies, frameworks and editors turn them: what a signature may have been made over instead. */
export function* bodyVariants(payload: Uint8Array): Generator<BodyVariant> {
  const latin1 = Buffer.from(payload).toString('latin1');
  const bytesOf = (text: string) => Buffer.from(text, 'latin1');
  if (/\r?\n$/.test(latin1)) {
    yield { bytes: bytesOf(latin1.replace(/\r?\n$/, '')), words: 'the body without its last line break' };
  }
  yield { bytes: bytesOf(`${latin1}\n`), words: 'the body with a line break at its end' };
  yield { bytes: bytesOf(`${latin1}\r\n`), words: 'the body with a CRLF at its end' };
  yield { bytes: bytesOf(latin1.trim()), words: 'the body without white space around it' };
  if (latin1.includes('\r\n'))
    yield { bytes: bytesOf(latin1.replaceAll('\r\n', '\n')), words: 'the body with LF lines' };
  yield { bytes: bytesOf(latin1.replace(/\r?\n/g, '\r\n')), words: 'the body with CRLF lines' };
  yield latin1.startsWith(BOM)
    ? { bytes: bytesOf(latin1.slice(BOM.length)), words: 'the body without its byte order mark' }
    : { bytes: bytesOf(BOM + latin1), words: 'the body with a byte order mark' };
  yield { bytes: Buffer.from(new TextDecoder().decode(payload)), words: 'the body decoded and encoded again as UTF-8' };
  yield { bytes: Buffer.from(latin1, 'utf8'), words: 'the body read as Latin-1 and written as UTF-8' };
  yield* reserialised(payload);
  yield { bytes: new Uint8Array(), words: 'an empty body' };
}

/** A UTF-8 byte order mark, as latin1 text. */
const BOM = '\u00ef\u00bb\u00bf';

function* reserialised(payload: Uint8Array): Generator<BodyVariant> {
  const value = parse(new TextDecoder().decode(payload));
  if (value === undefined) return;
  const compact = JSON.stringify(value);
  yield { bytes: Buffer.from(compact), words: 'the body parsed and written again as compact JSON' };
  yield {
    bytes: Buffer.from(JSON.stringify(value, null, 2)),
    words: 'the body parsed and written again with indentation',
  };
  yield { bytes: Buffer.from(spaced(compact)), words: 'the body parsed and written again as Python does' };
  yield { bytes: Buffer.from(escaped(compact)), words: 'the body parsed and written again with \\u escapes' };
  yield { bytes: Buffer.from(escaped(spaced(compact))), words: 'the body parsed and written again as Python does' };
  yield { bytes: Buffer.from(escapedSlashes(compact)), words: 'the body parsed and written again as PHP does' };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** `", "` and `": "` between values, as `json.dumps` writes. */
function spaced(compact: string): string {
  return compact.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|[,:]/g, (token) => (token.startsWith('"') ? token : `${token} `));
}

function escaped(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** PHP's `json_encode` escapes slashes and everything beyond ASCII. */
function escapedSlashes(json: string): string {
  return escaped(json).replaceAll('/', '\\/');
}
