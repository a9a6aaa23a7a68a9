import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, type ExpectStatic, expect, it } from 'vitest';
import { openCorpus } from '../../src/corpus/open-corpus.ts';
import { runCli } from '../support/cli.ts';
import { startReceiverProcess } from '../support/receiver.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SIGNED = ['--provider', 'generic-hmac', '--secret', SECRET];
const ONE = 'fixture:generic-hmac/order.paid';
const SEQUENCE = ['order.created', 'order.updated', 'order.updated-2'].map((name) => `fixture:generic-hmac/${name}`);

type Report = {
  readonly run: { readonly id: string };
  readonly verdict: string;
  readonly notes: readonly string[];
  readonly trials: ReadonlyArray<{
    readonly id: string;
    readonly verdict: string;
    readonly findings: ReadonlyArray<{ readonly check: string; readonly reproduce: string }>;
  }>;
};

type Answer = { readonly code: number | null; readonly report: Report; readonly stderr: string };

const folder = mkdtempSync(join(tmpdir(), 'judge-again-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function cli(...words: readonly string[]): Promise<Answer> {
  const { stdout, stderr, code } = await runCli([...words, '--json'], { cwd: folder });
  return { code, stderr, report: JSON.parse(stdout) as Report };
}

/** The same verdict, reason and findings, to the last line of evidence. */
async function expectSameAgain({ code, report }: Answer, expect: ExpectStatic): Promise<void> {
  const again = await cli('judge', report.run.id);
  expect(again.report.trials).toEqual(report.trials);
  expect(again.report.notes).toEqual(['Judged again by what was kept; nothing was sent.']);
  expect([again.code, again.report.verdict]).toEqual([code, report.verdict]);
}

// Mostly waiting until all is quiet: several at a time.
describe.concurrent('a run that is judged again', () => {
  it.for<readonly [string, readonly string[], readonly string[]]>([
    ['naive', [], ['--only', 'duplicate.sequential', '--only', 'order.*', '--only', 'retry.after-reset']],
    ['ledger', ['--fault', 'check-then-act-10ms'], ['--only', 'duplicate.concurrent', '--only', 'duplicate.storm']],
    ['ledger', ['--fault', 'malformed-500'], ['--only', 'ack.*']],
    ['transaction', ['--fault', 'no-signature-check'], ['--only', 'auth.*']],
    ['transaction', ['--fault', 'error-after-effect'], ['--only', 'retry.*', '--only', 'duplicate.sequential']],
    // What releases copies together is inconclusive on a machine that is busy with other tests.
    [
      'transaction',
      [],
      [
        '--only',
        'duplicate.*',
        '--skip',
        'duplicate.concurrent',
        '--only',
        'order.*',
        '--only',
        'auth.*',
        '--repeat',
        '2',
      ],
    ],
  ])(
    'has the same verdict and findings: test of %s %j',
    { timeout: 120_000 },
    async ([design, fault, only], { expect, onTestFinished: atEnd }) => {
      const receiver = await startReceiverProcess(folder, [design, ...SIGNED, '--port', '0', ...fault], { atEnd });
      const words = ['--to', receiver.url, '--effect', `sqlite:${receiver.db}`, '--settle', '250ms'];
      const played = await cli('test', ...words, ...SIGNED, ...only);
      expect(played.report.verdict, JSON.stringify(played)).toBe(
        design === 'transaction' && !fault[0] ? 'pass' : 'fail',
      );
      await expectSameAgain(played, expect);
    },
  );

  it.for<readonly [string, readonly string[], string]>([
    ['duplicate', [ONE], 'fail'],
    ['concurrent:2', [ONE], 'fail'],
    ['out-of-order:reverse', SEQUENCE, 'fail'],
    ['once', [ONE], 'pass'],
  ])(
    'has the same verdict and findings: replay with %s',
    { timeout: 120_000 },
    async ([pattern, events, verdict], { expect, onTestFinished: atEnd }) => {
      const receiver = await startReceiverProcess(folder, ['naive', '--port', '0'], { atEnd });
      const words = ['--to', receiver.url, '--effect', `sqlite:${receiver.db}`, '--settle', '250ms'];
      const played = await cli('replay', ...events, '--pattern', pattern, ...words);
      expect(played.report.verdict, JSON.stringify(played)).toBe(verdict);
      await expectSameAgain(played, expect);
    },
  );

  it('has the same verdict when only answers were judged, refused ones with their bodies', async ({
    expect,
    onTestFinished: atEnd,
  }) => {
    const receiver = await startReceiverProcess(folder, ['naive', '--port', '0', '--answers', '500,200'], { atEnd });
    const played = await cli('replay', ONE, '--pattern', 'duplicate', '--to', receiver.url);
    expect(played.report.verdict, JSON.stringify(played)).toBe('fail');
    await expectSameAgain(played, expect);
  });

  it('takes further things to ignore, says so, and is kept as it was', async ({ expect, onTestFinished: atEnd }) => {
    const receiver = await startReceiverProcess(folder, ['naive', '--port', '0'], { atEnd });
    const words = ['--to', receiver.url, '--effect', `sqlite:${receiver.db}`, '--settle', '250ms'];
    const { report } = await cli('replay', ONE, '--pattern', 'duplicate', ...words);
    const ignore = ['emails', 'orders', 'totals.orders', 'totals.total'].flatMap((glob) => ['--ignore', glob]);
    const some = await cli('judge', report.run.id, ...ignore.slice(0, 4), '--ignore', 'nothing.here');
    expect(some.report.trials[0]?.findings.length).toBeLessThan(report.trials[0]?.findings.length ?? 0);
    expect(some.report.trials[0]?.findings[0]?.reproduce).toContain('--ignore emails --ignore orders');
    expect(some.stderr).toContain('--ignore "nothing.here" matches nothing');
    const all = await cli('judge', `run:${report.run.id}`, ...ignore);
    expect(all.report.notes.join()).toContain('Ignored besides: emails, orders, totals.orders, totals.total.');
    expect(all.report.verdict).not.toBe('fail');
    expect((await cli('report', report.run.id)).report).toEqual(report);
  });
});

describe('what a run was judged by', () => {
  it('holds rows but no secret that a row repeats, and is judged the same without it', async () => {
    const receiver = await startReceiverProcess(folder, ['naive', '--port', '0']);
    const secret = 'Thank you for your order';
    const words = ['--provider', 'generic-hmac', '--secret', secret, '--effect', `sqlite:${receiver.db}`];
    const played = await cli('replay', ONE, '--to', receiver.url, '--settle', '250ms', ...words);
    const corpus = openCorpus(join(folder, '.webhook-replay', 'corpus.db'));
    const text = JSON.stringify([corpus.evidence(played.report.run.id), corpus.run(played.report.run.id)]);
    corpus.close();
    expect(text).toContain('[secret] SO-2026-');
    expect(text).not.toContain(secret);
    await expectSameAgain(played, expect);
  });

  it('is not there for a run that came to no judgement: exit 3', async () => {
    const { report } = await cli(
      'replay',
      ONE,
      '--to',
      '127.0.0.1:1/hooks',
      '--effect',
      'exec:echo 1',
      '--settle-first',
      '1ms',
    );
    const { stdout, stderr, code } = await runCli(['judge', report.run.id], { cwd: folder });
    expect({ stdout, code }).toEqual({ stdout: '', code: 3 });
    expect(stderr).toContain(`What run ${report.run.id} was judged by was not kept`);
  });

  it('is asked for in vain of an unknown run: exit 2', async () => {
    const { stderr, code } = await runCli(['judge', 'nosuchrun'], { cwd: folder });
    expect(stderr).toBe('error: There is no run "nosuchrun".\n  hint: webhook-replay runs lists them.\n');
    expect(code).toBe(2);
  });
});
