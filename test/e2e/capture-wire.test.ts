import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WebhookEvent } from '../../src/model/event.ts';
import { type CaptureProcess, EVERYTHING, readCorpus, startCaptureCli } from '../support/capture-cli.ts';
import { parseHead, type RawAnswer, sendRaw } from '../support/raw-http.ts';
import { type RecordingReceiver, startRecordingReceiver } from '../support/recording-receiver.ts';
import { tempFolder } from '../support/temp-folder.ts';

type WireCase = {
  readonly file: string;
  readonly method: string;
  readonly target: string;
  readonly bodyBytes: number;
  readonly bodySha256: string;
};

const PAYLOADS = process.env['WEBHOOK_REPLAY_PAYLOADS'];
const WIRE = PAYLOADS === undefined ? [] : (JSON.parse(read('index.json').toString()) as readonly WireCase[]);

function read(file: string): Buffer {
  return readFileSync(join(PAYLOADS ?? '', 'wire', file));
}

describe.skipIf(PAYLOADS === undefined)('real requests (skipped without WEBHOOK_REPLAY_PAYLOADS)', () => {
  const folder = tempFolder();
  let receiver: RecordingReceiver;
  let events: readonly WebhookEvent[];
  let answers: readonly RawAnswer[];
  let code: number | null;

  beforeAll(async () => {
    receiver = await startRecordingReceiver(
      () => 'HTTP/1.1 202 Accepted\r\nX-From: receiver\r\nContent-Length: 4\r\n\r\ndone',
    );
    const capture = await startCaptureCli(['--forward', receiver.url], { cwd: folder });
    answers = await sendAll(capture);
    code = await capture.stop();
    events = readCorpus(folder, (corpus) => corpus.events(...EVERYTHING));
  });

  afterAll(() => receiver.close());

  it('are all captured and passed on, and answered as the receiver does', () => {
    expect(WIRE).toHaveLength(66);
    expect(events).toHaveLength(66);
    expect(receiver.requests).toHaveLength(66);
    for (const answer of answers) {
      expect(answer.status).toBe(202);
      expect(answer.headers).toContainEqual(['X-From', 'receiver']);
      expect(answer.body.toString()).toBe('done');
    }
    expect(code).toBe(130);
    readCorpus(folder, (corpus) => {
      for (const { id } of events) {
        expect(corpus.answerOf(id)).toMatchObject({ kind: 'answered', by: 'receiver', status: 202 });
      }
    });
  });

  describe.each(WIRE.map((one, index) => ({ ...one, index })))('$file', ({ file, index, ...wire }) => {
    const head = () => parseHead(read(file).toString('latin1').split('\r\n\r\n')[0] as string);

    it('is in the corpus byte for byte', () => {
      const event = events[index] as WebhookEvent;
      expect(event.method).toBe(wire.method);
      expect(event.query === null ? event.path : `${event.path}?${event.query}`).toBe(wire.target);
      expect(event.headers).toEqual(head().headers);
      expect(event.payload).toHaveLength(wire.bodyBytes);
      expect(sha256(event.payload)).toBe(wire.bodySha256);
      expect(event.marks).toEqual([]);
    });

    it('reached the receiver byte for byte', () => {
      const request = receiver.requests[index];
      expect(request?.requestLine).toBe(`${wire.method} ${wire.target} HTTP/1.1`);
      expect(ofTheEvent(request?.headers ?? [])).toEqual(ofTheEvent(head().headers));
      const hosts = request?.headers.filter(([name]) => name.toLowerCase() === 'host').map(([, value]) => value);
      expect(hosts).toEqual([new URL(receiver.url).host]);
      expect(sha256(request?.body ?? Buffer.of())).toBe(wire.bodySha256);
    });
  });
});

/** One after the other, so that their order is known. */
async function sendAll(capture: CaptureProcess): Promise<readonly RawAnswer[]> {
  const answers: RawAnswer[] = [];
  for (const { file } of WIRE) answers.push(await sendRaw(capture.port, read(file)));
  return answers;
}

function ofTheEvent(headers: RawAnswer['headers']): RawAnswer['headers'] {
  const ofTheConnection = ['host', 'connection', 'content-length', 'transfer-encoding'];
  return headers.filter(([name]) => !ofTheConnection.includes(name.toLowerCase()));
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
