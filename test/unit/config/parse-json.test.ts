import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeAt } from '../../../src/config/json-node.ts';
import { JsonSyntaxError, parseJson } from '../../../src/config/parse-json.ts';

const TEXT = `{
  "to": "3000",
\t"effect": [ "a", {"b": 1} ],
  "commands": { "test": {
    "strict": true } }
}
`;

describe('JSON with places', () => {
  it.each([
    [['to'], 2, 9],
    [['effect'], 3, 12],
    [['effect', 1, 'b'], 3, 25],
    [['commands', 'test', 'strict'], 5, 15],
    [[], 1, 1],
  ])('knows where the value at %j stands', (path, line, column) => {
    expect(nodeAt(parseJson(TEXT), path)?.place).toEqual({ line, column });
  });

  it('knows where a name stands', () => {
    expect(nodeAt(parseJson(TEXT), ['commands'])?.members?.get('test')?.keyPlace).toEqual({ line: 4, column: 17 });
  });

  it.each([
    ['no line end counts twice', '{"a":1,\r\n"b": 2}', ['b'], 2, 6],
    ['a byte order mark takes no column', '\uFEFF{"a":1}', ['a'], 1, 6],
  ])('%s', (_title, text, path, line, column) => {
    expect(nodeAt(parseJson(text), path)?.place).toEqual({ line, column });
  });

  it('finds nothing where there is nothing', () => {
    expect(nodeAt(parseJson(TEXT), ['to', 'x'])).toBeUndefined();
  });

  it('keeps a member that is called like the prototype', () => {
    expect(Object.keys(parseJson('{"__proto__":{"a":1}}').value as object)).toEqual(['__proto__']);
  });

  it('reads whatever JSON there is as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2, '\t'), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(parseJson(text).value).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses what JSON.parse refuses, whatever is cut away or put in', () => {
    const damage = fc.tuple(fc.json(), fc.nat(200), fc.constantFrom('', ',', '"', '}', '\\', '\n', '01'));
    fc.assert(
      fc.property(damage, ([json, at, put]) => {
        const text = json.slice(0, at % (json.length + 1)) + put + json.slice((at % (json.length + 1)) + 1);
        const isRight = accepts(text);
        if (isRight) return;
        expect(() => parseJson(text)).toThrow(JsonSyntaxError);
      }),
    );
  });

  it.each([
    ['', 1, 1, 'The file ends where a value should stand.'],
    ['{\n  "to": "3000",\n}', 3, 1, 'There is a comma too much before "}".'],
    ['{"a": [1, ]}', 1, 11, 'There is a comma too much before "]".'],
    ['{\n  // why\n  "to": 1}', 2, 3, 'JSON has no comments.'],
    ["{'to': 1}", 1, 2, 'A text in JSON stands in double quotes.'],
    ['{to: 1}', 1, 2, 'A name in JSON stands in double quotes.'],
    ['{"a": 1\n "b": 2}', 2, 2, 'A comma is missing before this text.'],
    ['{"a" 1}', 1, 6, 'Here stands "1" instead of ":".'],
    ['{"a": maybe}', 1, 7, 'Here stands "maybe" instead of a value.'],
    ['{"a": 010}', 1, 7, 'Here stands "010" instead of a value.'],
    ['{"a": "x\n"}', 1, 7, 'The text that begins here does not end on its line.'],
    ['{"a": "\\q"}', 1, 7, 'The text that begins here has an escape or a control character that JSON does not know.'],
    ['{"a": 1, "a": 2}', 1, 10, '"a" stands here a second time.'],
    ['{} {}', 1, 4, 'Here stands "{" instead of the end of the file.'],
    ['{"a": 1', 1, 8, 'The file ends where "," or "}" should stand.'],
  ])('says what is wrong in %j, and where', (text, line, column, message) => {
    const error = syntaxErrorOf(text);
    expect(error.message).toBe(message);
    expect(error.place).toEqual({ line, column });
  });
});

function accepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function syntaxErrorOf(text: string): JsonSyntaxError {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}
