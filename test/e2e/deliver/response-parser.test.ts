import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSender, type Sender } from '../../../src/deliver/sender.ts';
import type { Outcome, OutgoingRequest } from '../../../src/model/attempt.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { onRequest, type RawServer, rawServer } from '../../support/raw-server.ts';

type Script = { readonly pieces: readonly Buffer[]; readonly close: boolean };

let script: Script = { pieces: [], close: true };
let server: RawServer;
let sender: Sender;

beforeAll(async () => {
  server = await rawServer((socket) => {
    socket.setNoDelay(true);
    onRequest(socket, () => void play(socket));
  });
  sender = createSender({ clock: systemClock, insecure: false, connections: 1 });
});

afterAll(async () => {
  await sender.close();
  await server.close();
});

async function play(socket: NodeJS.WritableStream): Promise<void> {
  const { pieces, close } = script;
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (close) socket.end();
}

function request(method: string): OutgoingRequest {
  const url = new URL(`http://127.0.0.1:${server.port}/`);
  return { method, url, target: '/', headers: [], payload: Buffer.from(method === 'POST' ? 'hello' : '') };
}

/** What undici and our own reader say of the same bytes, on a fresh socket and on a kept one; texts for people may differ. */
async function outcomesOf(method: string, bytes: Buffer, { cuts = [] as readonly number[], close = true } = {}) {
  script = { pieces: cut(bytes, cuts), close };
  const options = { timeoutMs: 5000, maxBodyBytes: 200 };
  const viaUndici = await sender.send(request(method), options);
  const [own] = (await sender.sendTogether([request(method)], options)).sent;
  const kept = await sender.sendMany(request(method), options);
  return { undici: essence(viaUndici.outcome), own: own && essence(own.outcome), kept: essence(kept.outcome) };
}

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((place) => place % bytes.length))]
    .filter((place) => place > 0)
    .sort((a, b) => a - b);
  return [...places, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : places[index - 1], end));
}

function essence(outcome: Outcome) {
  return outcome.kind === 'response'
    ? { ...outcome, body: Buffer.from(outcome.body).toString('latin1') }
    : { kind: outcome.kind, reason: outcome.reason };
}

const OK = 'HTTP/1.1 200 OK\r\n';

describe('the response parser agrees with undici', () => {
  it.each<[title: string, method: string, answer: string]>([
    ['a length', 'POST', `${OK}Content-Length: 5\r\n\r\nhello`],
    ['an empty body', 'POST', `${OK}Content-Length: 0\r\n\r\n`],
    ['no reason phrase', 'POST', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n'],
    ['an empty reason phrase', 'POST', 'HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n'],
    ['HTTP/1.0 until the end', 'POST', 'HTTP/1.0 500 Oh no\r\nServer: x\r\n\r\nfailed'],
    ['no length at all', 'POST', `${OK}X: 1\r\n\r\nuntil the end`],
    ['chunks', 'POST', `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n`],
    [
      'chunk extensions and trailers',
      'POST',
      `${OK}Transfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\nX-Sum: 1\r\n\r\n`,
    ],
    [
      'upper-case sizes and leading zeros',
      'POST',
      `${OK}transfer-encoding: Chunked\r\n\r\n00A\r\n0123456789\r\n000\r\n\r\n`,
    ],
    ['a coding before chunked', 'POST', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n1\r\nz\r\n0\r\n\r\n`],
    ['204', 'POST', 'HTTP/1.1 204 No Content\r\nX: 1\r\n\r\n'],
    ['304', 'GET', 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n'],
    ['HEAD with a length', 'HEAD', `${OK}Content-Length: 500\r\n\r\n`],
    ['HEAD with chunks announced', 'HEAD', `${OK}Transfer-Encoding: chunked\r\n\r\n`],
    ['103 before the answer', 'POST', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}Content-Length: 1\r\n\r\nx`],
    [
      '102 twice',
      'POST',
      `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${OK}Content-Length: 1\r\n\r\nx`,
    ],
    [
      'repeated headers of odd case',
      'POST',
      `${OK}set-COOKIE: a\r\nX: 1\r\nSet-Cookie: b\r\nContent-Length: 0\r\n\r\n`,
    ],
    ['odd blanks round values', 'POST', `${OK}A:b\r\nC: \t d  \r\nE:\r\nContent-Length:  2 \r\n\r\nok`],
    ['bytes beyond ASCII', 'POST', `${OK}X: \xe9\xff\r\nContent-Length: 2\r\n\r\n\xff\x00`],
    ['a body longer than what is kept', 'POST', `${OK}Content-Length: 300\r\n\r\n${'x'.repeat(300)}`],
    ['a redirect, not followed', 'POST', 'HTTP/1.1 307 T\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n'],
    ['no HTTP', 'POST', 'SSH-2.0-OpenSSH_9.0\r\n'],
    ['another protocol, in upper case', 'POST', 'HTTQ/1.1 200 OK\r\n\r\n'],
    ['a TLS alert', 'POST', '\x15\x03\x03\x00\x02\x02\x46'],
    ['HTTP of another age', 'POST', 'HTTP/3.7 200 OK\r\n\r\n'],
    ['a status of two digits', 'POST', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a status of letters', 'POST', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['a line that is no header', 'POST', `${OK}nonsense\r\n\r\n`],
    ['a blank before the colon', 'POST', `${OK}X : 1\r\n\r\n`],
    ['a folded header', 'POST', `${OK}X: 1\r\n folded\r\nContent-Length: 0\r\n\r\n`],
    ['a negative length', 'POST', `${OK}Content-Length: -1\r\n\r\n`],
    ['a length of letters', 'POST', `${OK}Content-Length: five\r\n\r\nhello`],
    ['two lengths', 'POST', `${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`],
    ['two equal lengths', 'POST', `${OK}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`],
    ['a length and chunks', 'POST', `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks and a length', 'POST', `${OK}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`],
    ['a chunk size that is none', 'POST', `${OK}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`],
    ['a chunk longer than it says', 'POST', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n`],
    ['an unasked upgrade', 'POST', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ['nothing', 'POST', ''],
    ['half a head', 'POST', `${OK}Content-Le`],
    ['half a body', 'POST', `${OK}Content-Length: 50\r\n\r\nhalf`],
    ['half a body of a connection to be closed', 'POST', `${OK}Connection: close\r\nContent-Length: 50\r\n\r\nhalf`],
    ['half a chunk', 'POST', `${OK}Transfer-Encoding: chunked\r\n\r\n50\r\nhalf`],
    ['no last chunk', 'POST', `${OK}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`],
  ])('on %s', async (_title, method, answer) => {
    const { undici, own, kept } = await outcomesOf(method, Buffer.from(answer, 'latin1'));
    expect({ own, kept }).toEqual({ own: undici, kept: undici });
  });

  it('on random answers cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(answers, fc.array(fc.nat(400), { maxLength: 8 }), async (bytes, cuts) => {
        const { undici, own, kept } = await outcomesOf('POST', bytes, { cuts });
        expect({ own, kept }).toEqual({ own: undici, kept: undici });
        expect(own?.kind).toBe('response');
      }),
      { numRuns: 150 },
    );
  });

  it('on random answers one behind the other over a kept connection', async () => {
    const answer = answers.filter((bytes) => /^(content-length|transfer-encoding):/im.test(bytes.toString('latin1')));
    const inPieces = fc.tuple(answer, fc.array(fc.nat(400), { maxLength: 4 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(inPieces, { minLength: 2, maxLength: 4 }), async (all) => {
        for (const [bytes, cuts, close] of all) {
          const { undici, kept } = await outcomesOf('POST', bytes, { cuts, close });
          expect(kept).toEqual(undici);
          expect(kept.kind).toBe('response');
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('the response parser alone', () => {
  it('skips an unasked 100, which undici takes for an error', async () => {
    const bytes = Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`);
    const { own, kept } = await outcomesOf('POST', bytes);
    expect(own).toMatchObject({ kind: 'response', status: 200, body: 'ok' });
    expect(kept).toEqual(own);
  });

  it('knows that 304 has no body whatever its length says (RFC 9110 section 15.4.5)', async () => {
    script = { pieces: [Buffer.from('HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n')], close: false };
    const { sent } = await sender.sendTogether([request('GET')], { timeoutMs: 5000 });
    expect(sent[0]?.outcome).toMatchObject({ kind: 'response', status: 304 });
  });
});

const token = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,10}$/)
  .filter((name) => !/^(content-length|transfer-encoding|connection|keep-alive|upgrade|te)$/i.test(name));
const value = fc.stringMatching(/^[!-~]([ -~]{0,10}[!-~])?$/);
const payload = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));

const answers = fc
  .record({
    status: fc.constantFrom(200, 201, 202, 302, 400, 401, 409, 425, 429, 500, 503),
    headers: fc.array(fc.tuple(token, value), { maxLength: 6 }),
    body: payload,
    framing: fc.constantFrom('length', 'chunked', 'close'),
    early: fc.boolean(),
    chunkSize: fc.integer({ min: 1, max: 120 }),
  })
  .map(({ status, headers, body, framing, early, chunkSize }) => {
    const lines = headers.map(([name, text]) => `${name}: ${text}`);
    if (framing === 'length') lines.push(`Content-Length: ${body.length}`);
    if (framing === 'chunked') lines.push('Transfer-Encoding: chunked');
    const head = `${early ? 'HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n' : ''}HTTP/1.1 ${status} Some Reason\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
    return Buffer.concat([Buffer.from(head, 'latin1'), framing === 'chunked' ? chunked(body, chunkSize) : body]);
  });

function chunked(body: Buffer, size: number): Buffer {
  const parts: Buffer[] = [];
  for (let start = 0; start < body.length; start += size) {
    const part = body.subarray(start, start + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}
