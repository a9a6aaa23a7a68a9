import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { curl } from '../../../src/formats/curl.ts';
import { shellCommands } from '../../../src/formats/shell-words.ts';
import { writeCurl } from '../../../src/formats/write-curl.ts';
import type { FoundRequest } from '../../../src/model/event.ts';
import { rawRequest } from '../../support/arbitraries.ts';

const options = { name: 'pasted.txt' };
const parse = (text: string, more = {}) => curl.parse(Buffer.from(text, 'utf8'), { ...options, ...more });
const body = (request: FoundRequest | undefined) => Buffer.from(request?.payload ?? []).toString();

function one(text: string, more = {}): FoundRequest {
  const [request, ...others] = parse(text, more);
  if (!request || others.length > 0) throw new Error('not one request');
  return request;
}

describe('a curl line', () => {
  it('becomes the request that curl would send', () => {
    expect(one(`curl -k -X PUT 'https://api.test:8443/a%2Fb?x=1&x=2#f' -H 'X-A: 1' -H 'x-a:2' -d '{"a":1}'`)).toEqual({
      method: 'PUT',
      path: '/a%2Fb',
      query: 'x=1&x=2',
      headers: [
        ['Host', 'api.test:8443'],
        ['X-A', '1'],
        ['x-a', '2'],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ],
      payload: new Uint8Array(Buffer.from('{"a":1}')),
      tags: [],
      marks: [],
    });
  });

  it.each([
    ["curl http://a.test -d 'x'", 'POST'],
    ['curl http://a.test', 'GET'],
    ['curl -I http://a.test', 'HEAD'],
    ['curl -G http://a.test -d x=1', 'GET'],
    ['curl -XDELETE http://a.test', 'DELETE'],
    ['curl -sSXPATCH http://a.test', 'PATCH'],
    ['curl --request OPTIONS --url http://a.test', 'OPTIONS'],
    ['curl -X PUT --globoff --path-as-is http://a.test/..', 'PUT'],
    ['$ curl -vL a.test -o /dev/null --max-time 5 --compressed -X PUT', 'PUT'],
  ])('%s is a %s', (line, method) => {
    expect(one(line).method).toBe(method);
  });

  it.each([
    [`-d 'a b'`, 'a b'],
    [`-d "a \\"b\\" \\$c \\n"`, 'a "b" $c \\n'],
    [`-d a\\ b`, 'a b'],
    [`-d 'it'\\''s'`, "it's"],
    [`--data-raw $'J\\'ai mang\\u00e9\\n\\x41\\101\\\\'`, "J'ai mangé\nAA\\"],
    [`-d 'first' \\\n  -d second`, 'first&second'],
    [`-d 'first' \\\r\n  -d second`, 'first&second'],
    [`--data-raw '@not-a-file'`, '@not-a-file'],
    [`-d 'line one\nline two'`, 'line one\nline two'],
    [`--data-urlencode 'a=b c&é' --data-urlencode '=x y' --data-urlencode plain`, 'a=b%20c%26%C3%A9&x%20y&plain'],
    [`--json '{"a":1}'`, '{"a":1}'],
    [`--json '{"a":' --json '1}'`, '{"a":1}'],
    [`-d x # a comment`, 'x'],
    [`-d x | jq .`, 'x'],
    [`-d x && echo done`, 'x'],
  ])('with %j has the body %j', (words, expected) => {
    expect(body(one(`curl http://a.test ${words}`))).toBe(expected);
  });

  it.each<[string, [string, string]]>([
    ['--json {}', ['Content-Type', 'application/json']],
    ['--json {}', ['Accept', 'application/json']],
    ['-u user:pass', ['Authorization', 'Basic dXNlcjpwYXNz']],
    ['-A bot/1', ['User-Agent', 'bot/1']],
    ["-H 'X-Empty;'", ['X-Empty', '']],
    ["-H 'X-Accent: é'", ['X-Accent', 'Ã©']],
  ])('with %s has the header %j', (words, header) => {
    expect(one(`curl http://a.test ${words}`).headers).toContainEqual(header);
  });

  it('takes a header away that is given without a value', () => {
    const { headers } = one(`curl http://a.test -d x -H 'Content-Type:' -H 'Host:'`);
    expect(headers).toEqual([]);
  });

  it('puts data into the query with -G', () => {
    expect(one('curl -G "http://a.test/p?z=0" -d a=1 -d b=2')).toMatchObject({ query: 'z=0&a=1&b=2', path: '/p' });
  });

  it('reads @file through the reader it is given, and drops line ends as curl does', () => {
    const readFile = (path: string) => Buffer.from(`${path}\r\n\xff`, 'latin1');
    expect(Buffer.from(one('curl a.test -d @b.json', { readFile }).payload).toString('latin1')).toBe('b.json\xff');
    expect(one('curl a.test --data-binary @b.json', { readFile }).payload).toHaveLength(9);
  });

  it('may have been copied for Windows', () => {
    const text = [
      'curl "http://localhost:3000/webhooks/x" ^',
      '  -H "content-type: application/json" ^',
      '  --data-raw "^{^\\^"id^\\^":^\\^"evt_1^\\^",^\\^"n^\\^":^\\^"a""b^\\^"^}"',
    ].join('\r\n');
    expect(body(one(text))).toBe('{"id":"evt_1","n":"a"b"}');
    expect(one(text)).toMatchObject({
      method: 'POST',
      path: '/webhooks/x',
      headers: [
        ['Host', 'localhost:3000'],
        ['content-type', 'application/json'],
      ],
    });
  });

  it('may stand among others, with comments', () => {
    const found = parse(`# one\ncurl a.test/1 \\\n -d x\n\n# two\ncurl "b.test/2" ^\n  -d "^{^}"\n\ncurl c.test/3`);
    expect(found.map(({ path, payload }) => [path, Buffer.from(payload).toString()])).toEqual([
      ['/1', 'x'],
      ['/2', '{}'],
      ['/3', ''],
    ]);
  });

  it.each([
    ['curl http://a.test -d @payload.json', /^pasted\.txt:1: .*takes its body from "@payload\.json"/],
    ["\n\ncurl http://a.test -d '{", /^pasted\.txt:3: A quote that starts with ' is never closed/],
    ['curl http://a.test -d "$BODY"', /"\$BODY" stands for a value that only your shell knows/],
    ['curl -d x', /no URL/],
    ['curl http://a.test -H', /needs a value/],
    ['curl http://a.test -H nonsense', /"nonsense" is no header/],
    ['curl http://a.test -F a=b', /"-F" builds a body that is not in the command/],
    ['curl http://a.test --dta x', /"--dta" is no option/],
    ['curl http://a.test -Q x', /"-Q" is no option/],
    ["curl 'http://a.test/a b'", /"\/a b" is no path/],
    ['hello', /no curl command/],
  ])('%j is refused', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});

describe('writeCurl', () => {
  it('writes what is read back as the same request, whatever the bytes', () => {
    fc.assert(
      fc.property(rawRequest, (request) => {
        fc.pre(!request.payload.includes(0) && !request.path.includes('#') && !request.query?.includes('#'));
        const own = /^(host|content-length|transfer-encoding|connection)$/i;
        const headers = request.headers.filter(([name]) => !own.test(name));
        const again = one(writeCurl(request, { origin: 'http://localhost:3000' }));
        expect(again).toMatchObject({ ...request, headers: [['Host', 'localhost:3000'], ...headers] });
      }),
    );
  });

  it.skipIf(process.platform === 'win32')('means to bash what it means to us', () => {
    const requests = fc.sample(rawRequest, 200).filter(({ payload }) => !payload.includes(0));
    const text = requests.map((request) => writeCurl(request, { origin: 'http://localhost:3000' })).join('');
    const script = Buffer.from(`curl() { printf '%s\\0' "$@"; }\n${text}`);
    const printed = execFileSync('bash', ['-s'], { input: script, env: { PATH: process.env['PATH'], LC_ALL: 'C' } });
    const words = shellCommands(Buffer.from(text).toString('latin1')).flatMap(([, ...rest]) => rest);
    expect(printed.toString('latin1').split('\0').slice(0, -1)).toEqual(words);
  });

  it('leaves out what curl makes itself, and the host of the capture', () => {
    const made = ['Host', 'Connection', 'content-length', 'Transfer-Encoding'].map((name) => [name, 'x'] as const);
    const request = { method: 'POST', path: '/', query: null, headers: made, payload: new Uint8Array() };
    expect(writeCurl(request, { origin: 'http://localhost:3000' })).toBe('curl -X POST http://localhost:3000/\n');
  });

  it('sends bytes that no argument can hold through a pipe', () => {
    const request = { method: 'POST', path: '/', query: null, headers: [], payload: new Uint8Array([0, 1]) };
    const text = writeCurl(request, { origin: 'http://localhost:3000' });
    expect(text).toMatch(/^printf %s 'AAE=' \| base64 -d \| curl -X POST http:\/\/localhost:3000\//);
    expect(text).toContain('--data-binary @-');
  });
});

const payloads = process.env['WEBHOOK_REPLAY_PAYLOADS'];

describe.skipIf(!payloads)('curl lines as people pasted them (needs WEBHOOK_REPLAY_PAYLOADS)', () => {
  it('are read, each alone', async () => {
    const { readFile } = await import('node:fs/promises');
    const text = await readFile(`${payloads}/curl/as_pasted.txt`, 'utf8');
    const commands = text.split(/\n\n/).map((command) => {
      try {
        const request = one(command, { readFile: () => Buffer.from('{"from":"file"}') });
        return [request.method, request.path, body(request).slice(0, 60)];
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(commands).toEqual([
      ['POST', '/api/v2/job_templates/16/gitlab/', ''],
      ['POST', '/bot', '{"object":"page","entry":[{"time":1745994620421,"id":"xxx","'],
      ['POST', '/webhooks/stripe', '{\n  "id": "evt_1",\n  "text": "J\'ai mangé"\n}'],
      ['POST', '/webhooks/github', '{"from":"file"}'],
      expect.stringMatching(/"-F" builds a body/),
      ['POST', '/webhooks/x', '{"id":"evt_1"}'],
    ]);
  });
});
