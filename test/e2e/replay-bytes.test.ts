import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { startCaptureCli } from '../support/capture-cli.ts';
import { dechunk, parseHead, rawPost, sendRaw } from '../support/raw-http.ts';
import { type RecordedRequest, startRecordingReceiver } from '../support/recording-receiver.ts';
import { replay, summaryOf } from '../support/replay.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PAYLOADS = process.env['WEBHOOK_REPLAY_PAYLOADS'];
const WIRE = PAYLOADS === undefined ? [] : (JSON.parse(read('index.json').toString()) as readonly { file: string }[]);

function read(file: string): Buffer {
  return readFileSync(join(PAYLOADS ?? '', 'wire', file));
}

/** Requests that a careless tool changes on their way. */
const ODD: Readonly<Record<string, Buffer>> = {
  'an empty body': rawPost('/empty', ['Content-Type: application/json'], ''),
  'a gzipped body': rawPost('/gzip', ['Content-Encoding: gzip', 'Content-Type: application/json'], gzipSync('{"a":1}')),
  'invalid UTF-8': rawPost('/bytes', ['Content-Type: text/plain'], Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0d])),
  'JSON that nobody may write anew': rawPost(
    '/json',
    [],
    '{ "n": 1.0, "big": 9007199254740993, "n": 2,\r\n"u":"\\u00e9" }\n',
  ),
  'repeated headers': rawPost('/repeated', ['X-Tag: one', 'Accept: */*', 'X-Tag: two', 'x-tag:  three'], 'x'),
  'headers in odd case, with bytes and without a value': rawPost(
    '/case',
    ['x-ODD-cAsE: \xe9\xff', 'X-Empty:', 'X-A: b:c'],
    'x',
  ),
  'a form': rawPost(
    '/form',
    ['Content-Type: application/x-www-form-urlencoded'],
    'payload=%7B%22a%22%3A+1%7D&b=%E9&b=',
  ),
  'a target that must not be normalised': rawPost('/a/../b//%2F%2f;c?a=1&a=2&%20=+', [], 'x'),
  'an empty query': rawPost('/query?', [], 'x'),
  'a GET': Buffer.from('GET /challenge?crc_token=a%2Bb HTTP/1.1\r\nHost: capture.test\r\nX-Last: yes\r\n\r\n'),
  'a chunked body': Buffer.from(
    'POST /chunked HTTP/1.1\r\nHost: capture.test\r\nTransfer-Encoding: chunked\r\nX-Last: yes\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n',
  ),
  'another method': Buffer.from('PUT /put HTTP/1.1\r\nHost: capture.test\r\nContent-Length: 2\r\n\r\nhi'),
};

describe('odd requests, captured and replayed with --keep-signatures', () => {
  const sent = Object.entries(ODD);
  let received: readonly RecordedRequest[];
  beforeAll(async () => {
    received = await captureAndReplay(sent.map(([, bytes]) => bytes));
  });

  it.each(sent.map(([name], index) => ({ name, index })))('$name', ({ name, index }) => {
    expectSame(received[index], ODD[name] as Buffer);
  });
});

describe.skipIf(PAYLOADS === undefined)(
  'real requests, captured and replayed with --keep-signatures (skipped without WEBHOOK_REPLAY_PAYLOADS)',
  () => {
    let received: readonly RecordedRequest[];
    beforeAll(async () => {
      received = await captureAndReplay(WIRE.map(({ file }) => read(file)));
    });

    it('are all there', () => {
      expect(WIRE).toHaveLength(66);
      expect(received).toHaveLength(66);
    });

    it.each(WIRE.map(({ file }, index) => ({ file, index })))('$file', ({ file, index }) => {
      expectSame(received[index], read(file));
    });
  },
);

/** Over a raw socket into a capture, and from its corpus to a receiver that records bytes. One after the other, so that the order is known. */
async function captureAndReplay(requests: readonly Buffer[]): Promise<readonly RecordedRequest[]> {
  const folder = tempFolder();
  const capture = await startCaptureCli([], { cwd: folder });
  for (const bytes of requests) expect((await sendRaw(capture.port, bytes)).status).toBe(200);
  expect(await capture.stop()).toBe(130);
  const receiver = await startRecordingReceiver();
  try {
    const words = [
      `last:${requests.length}`,
      '--pattern',
      'once',
      '--ordered',
      '--keep-signatures',
      '--to',
      receiver.url,
    ];
    const replayed = await replay(folder, words);
    expect(replayed.code, summaryOf(replayed)).toBe(0);
    return receiver.requests;
  } finally {
    await receiver.close();
  }
}

function expectSame(received: RecordedRequest | undefined, sent: Buffer): void {
  const end = sent.indexOf('\r\n\r\n');
  const { first, headers } = parseHead(sent.toString('latin1', 0, end));
  expect(received?.requestLine).toBe(first);
  expect(ofTheEvent(received?.headers ?? [])).toEqual(ofTheEvent(headers));
  const chunked = headers.some(([name]) => name === 'Transfer-Encoding');
  const body = chunked ? dechunk(sent.subarray(end + 4))?.body : sent.subarray(end + 4);
  expect(sha256(received?.body)).toBe(sha256(body));
  expect(body).toBeDefined();
}

function ofTheEvent(headers: RecordedRequest['headers']): RecordedRequest['headers'] {
  const ofTheConnection = ['host', 'connection', 'content-length', 'transfer-encoding'];
  return headers.filter(([name]) => !ofTheConnection.includes(name.toLowerCase()));
}

function sha256(bytes: Uint8Array | undefined): string | undefined {
  return bytes && createHash('sha256').update(bytes).digest('hex');
}
