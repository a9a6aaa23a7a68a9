import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import type { CapturedDelivery, CaptureProgress } from '../../../src/capture/progress.ts';
import { type CaptureView, captureListener } from '../../../src/commands/capture-listener.ts';
import { virtualClock } from '../../../src/support/clock.ts';
import type { Output } from '../../../src/support/output.ts';
import { fixed, forwardBy } from '../../support/capture-harness.ts';

const DELIVERY: CapturedDelivery = {
  id: 'k3Jd9f',
  provider: 'gitlab',
  type: 'Push Hook',
  receivedAt: '2026-01-01T00:00:00.000Z',
  method: 'POST',
  path: '/hooks',
  bytes: 2048,
  marks: [],
};

const FORWARDED: CaptureProgress = {
  kind: 'forwarded',
  delivery: () => DELIVERY,
  answer: { kind: 'answered', by: 'receiver', status: 201, tookMs: 41 },
  told: 201,
  withheld: ['X-Gitlab-Token'],
};

function listen(options: CaptureView['options'], request: Partial<CaptureView['request']> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const listener = captureListener({
    options,
    request: { host: '127.0.0.1', port: 0, limitBytes: 1, tags: [], policy: fixed(204), ...request },
    corpus: 'corpus.db',
    context: { out: output(out), err: output(err), clock: virtualClock() },
  });
  return { listener, out: () => out.join(''), err: () => err.join('') };
}

function output(into: string[]): Output {
  return {
    write: (text) => void into.push(text),
    json: () => {},
    jsonLine: (document) => void into.push(`${JSON.stringify(document)}\n`),
    writeBytes: () => {},
    isTerminal: false,
    columns: 80,
    paint: new Chalk({ level: 0 }),
  };
}

describe('captureListener', () => {
  it('says once for each header that it was held back, and how to let it pass', () => {
    const { listener, err } = listen({ forward: 'https://app.test' }, { policy: forwardBy(() => ({}) as never) });
    listener(FORWARDED);
    listener(FORWARDED);
    expect(err().match(/--allow-header X-Gitlab-Token/g)).toHaveLength(1);
    expect(err().match(/k3Jd9f {2}gitlab {2}Push Hook {2}2 KB {2}201 from the receiver in 41 ms\n/g)).toHaveLength(2);
  });

  it('warns when it listens on more than loopback', () => {
    const { listener, err } = listen({}, { host: '0.0.0.0' });
    listener({ kind: 'ready', url: 'http://127.0.0.1:4400' });
    expect(err()).toContain('warning: "0.0.0.0" is not loopback');
    const loopback = listen({});
    loopback.listener({ kind: 'ready', url: 'http://127.0.0.1:4400' });
    expect(loopback.err()).not.toContain('warning');
  });

  it('leaves only the ready line, trouble and the counts with --quiet', () => {
    const { listener, out, err } = listen({ quiet: true });
    listener({ kind: 'ready', url: 'http://127.0.0.1:4400' });
    listener({ kind: 'captured', marks: [], delivery: () => DELIVERY, answer: 204 });
    listener({ kind: 'rejected', reason: 'not-stored', status: 500, detail: 'no room' });
    expect(err().split('\n')).toEqual([
      'Capturing on http://127.0.0.1:4400 into corpus.db. Each delivery is answered 204 once it is stored.',
      expect.stringMatching(/rejected with 500: no room\.$/),
      '',
    ]);
    expect(out()).toBe('');
  });

  it('numbers the lines of NDJSON and keeps warnings for people', () => {
    const { listener, out, err } = listen({ json: true });
    listener({ kind: 'ready', url: 'http://127.0.0.1:4400' });
    listener({ kind: 'warning', text: 'odd' });
    listener({ kind: 'captured', marks: [], delivery: () => DELIVERY, answer: 204 });
    const lines = out()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      {
        type: 'ready',
        seq: 1,
        schema: 'webhook-replay/capture/1',
        url: 'http://127.0.0.1:4400',
        corpus: 'corpus.db',
        answer: { status: 204 },
      },
      { type: 'captured', seq: 2, event: DELIVERY, answer: 204 },
    ]);
    expect(err()).toContain('warning: odd');
  });
});
