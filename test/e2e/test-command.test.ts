import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FAULTS } from '../../src/fixtures/receivers/faults/faults.ts';
import { runCli } from '../support/cli.ts';
import { startReceiverProcess } from '../support/receiver.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const FAST = ['--settle', '200ms'];

/** The trial that one would expect to find each fault, and the sender whose events show it. */
const FOUND_BY: Readonly<Record<string, { readonly trial: string; readonly provider?: string }>> = {
  'no-guard': { trial: 'duplicate.sequential' },
  'check-then-act-0ms': { trial: 'duplicate.concurrent' },
  'check-then-act-1ms': { trial: 'duplicate.concurrent' },
  'check-then-act-10ms': { trial: 'duplicate.concurrent' },
  'key-delivery-id': { trial: 'duplicate.redelivered' },
  'stale-overwrite': { trial: 'order.stale-update' },
  'adds-on-duplicate': { trial: 'duplicate.sequential' },
  'window-2s': { trial: 'duplicate.late' },
  'last-20-ids': { trial: 'duplicate.late' },
  'key-body-hash': { trial: 'duplicate.reserialised' },
  'key-content': { trial: 'distinct.same-payload' },
  'lost-update': { trial: 'distinct.concurrent' },
  'error-after-effect': { trial: 'retry.after-error' },
  'duplicate-409': { trial: 'ack.duplicate-status' },
  'no-signature-check': { trial: 'auth.missing' },
  'signature-over-json': { trial: 'auth.raw-bytes' },
  'stale-accepted': { trial: 'auth.stale', provider: 'stripe' },
  'malformed-500': { trial: 'ack.malformed' },
  'unknown-type-500': { trial: 'ack.unknown-type' },
  'update-dropped': { trial: 'order.update-before-create' },
  resurrects: { trial: 'order.late-after-delete' },
  'lost-on-cut': { trial: 'retry.after-reset' },
  'global-lock': { trial: 'ack.latency' },
};

type Report = {
  readonly verdict: string;
  readonly summary: Readonly<Record<string, number>>;
  readonly trials: ReadonlyArray<{
    readonly id: string;
    readonly verdict: string;
    readonly reason?: string;
    readonly findings: readonly unknown[];
  }>;
};

const folder = mkdtempSync(join(tmpdir(), 'test-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function play(
  words: readonly string[],
): Promise<{ readonly code: number | null; readonly report: Report; readonly text: string }> {
  const { stdout, stderr, code } = await runCli(['test', ...words, '--json', ...FAST], { cwd: folder });
  const report = JSON.parse(stdout) as Report;
  const text = report.trials
    .filter(({ verdict }) => verdict !== 'pass')
    .map((trial) => JSON.stringify(trial))
    .join('\n');
  return { code, report, text: `exit ${code}\n${stderr}\n${text}` };
}

describe('test, against a receiver with a fault', () => {
  it('names a trial for each fault there is', () => {
    expect(Object.keys(FOUND_BY).sort()).toEqual(FAULTS.map(({ id }) => id).sort());
  });

  it.each(Object.entries(FOUND_BY))(
    '%s is found by its trial on five seeds',
    async (fault, { trial, provider = 'generic-hmac' }) => {
      const receiver = await startReceiverProcess(folder, [
        '--port',
        '0',
        '--fault',
        fault,
        '--provider',
        provider,
        '--secret',
        SECRET,
      ]);
      for (const seed of [1, 2, 3, 4, 5]) {
        const played = await play([
          '--to',
          receiver.url,
          '--provider',
          provider,
          '--secret',
          SECRET,
          '--effect',
          `sqlite:${receiver.db}`,
          '--only',
          trial,
          '--seed',
          String(seed),
        ]);
        expect(
          played.report.trials.map(({ id, verdict }) => `${id} ${verdict}`),
          played.text,
        ).toContain(`${trial} fail`);
        expect(played.code).toBe(1);
      }
    },
    120_000,
  );
});

describe('test, against a right receiver', () => {
  it.each(['generic-hmac', 'stripe', 'svix', 'github', 'shopify', 'standard-webhooks'])(
    'passes every trial that %s events allow',
    async (provider) => {
      const receiver = await startReceiverProcess(folder, [
        'transaction',
        '--port',
        '0',
        '--provider',
        provider,
        '--secret',
        SECRET,
      ]);
      const played = await play([
        '--to',
        receiver.url,
        '--provider',
        provider,
        '--secret',
        SECRET,
        '--effect',
        `sqlite:${receiver.db}`,
      ]);
      expect(played.code, played.text).toBe(0);
      expect(played.report.summary).toMatchObject({ fail: 0, inconclusive: 0, skip: 0 });
      expect(played.report.summary['pass']).toBeGreaterThanOrEqual(20);
    },
    120_000,
  );
});
