import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../src/receiver/free-port.ts';
import { runCli } from '../support/cli.ts';
import { hasPostgres, POSTGRES, query } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SHOP = fileURLToPath(new URL('../fixtures/receivers/pg-shop.js', import.meta.url));

type Report = {
  readonly verdict: string;
  readonly trials: ReadonlyArray<{
    readonly id: string;
    readonly verdict: string;
    readonly reason?: string;
    readonly tried?: string;
    readonly findings: ReadonlyArray<{
      readonly check: string;
      readonly title: string;
      readonly only?: readonly string[];
      readonly reproduce: string;
    }>;
  }>;
};

type Played = { readonly report: Report; readonly code: number | null; readonly text: string };

/** The shop on PostgreSQL, with tables of its own for the length of the test. */
async function shop(design: string) {
  const [folder, port, suffix] = [tempFolder(), await freePort(), randomBytes(4).toString('hex')];
  onTestFinished(async () => {
    await query(`DROP TABLE IF EXISTS webhook_events_${suffix}, orders_${suffix}`);
  });
  const words = [
    ...['--start', `"${process.execPath}" "${SHOP}" --design ${design} --suffix ${suffix} --port {port}`],
    ...['--to', `127.0.0.1:${port}/webhooks`, '--provider', 'generic'],
    ...['--intercept', 'DATABASE_URL', '--effect', `http://127.0.0.1:${port}/orders#`, '--settle', '250ms'],
  ];
  return async (...more: readonly string[]): Promise<Played> => {
    const options = { cwd: folder, env: { DATABASE_URL: POSTGRES } };
    const { stdout, stderr, code } = await runCli(['test', ...words, ...more, '--json'], options);
    return { report: JSON.parse(stdout) as Report, code, text: `exit ${code}\n${stderr}\n${stdout}` };
  };
}

describe.runIf(await hasPostgres())('test --intercept DATABASE_URL', () => {
  it('finds where the published ledger loses an event, and names the place', { timeout: 180_000 }, async () => {
    const play = await shop('ledger');
    const { report, code, text } = await play('--only', 'retry.after-crash');
    const [trial] = report.trials;
    expect(code, text).toBe(1);
    expect(trial?.tried).toBe('2 turns of DATABASE_URL: 4 boundaries, before and after each turn, each tried');
    expect(
      trial?.findings.map(({ only }) => only),
      text,
    ).toEqual([
      ['--crash-at', 'DATABASE_URL:after:1'],
      ['--crash-at', 'DATABASE_URL:before:2'],
    ]);
    expect(trial?.findings.map(({ check }) => check)).toEqual(['no-lost-effect', 'no-lost-effect']);
    expect(trial?.findings[0]?.title).toMatch(
      /killed after turn 1 of DATABASE_URL \(INSERT INTO webhook_events_\w+\), before its answer reached the receiver$/,
    );
    expect(trial?.findings[0]?.reproduce).toContain('--only retry.after-crash --crash-at DATABASE_URL:after:1');
    expect(text).not.toContain('--intercept DATABASE_URL=');

    const again = await play('--only', 'retry.after-crash', '--crash-at', 'DATABASE_URL:after:1');
    expect(
      again.report.trials[0]?.findings.map(({ only }) => only?.[1]),
      again.text,
    ).toEqual(['DATABASE_URL:after:1']);

    const none = await play('--only', 'retry.after-crash', '--crash-at', 'DATABASE_URL:after:9');
    expect(none.code).toBe(3);
    expect(none.report.trials[0]?.reason).toMatch(/no such boundary.*DATABASE_URL:after:2/);
  });

  it('finds nothing in five runs where event id and effect are one transaction', { timeout: 400_000 }, async () => {
    const play = await shop('transaction');
    const { report, code, text } = await play('--only', 'retry.after-crash', '--repeat', '5');
    expect(code, text).toBe(0);
    expect(report.trials.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass', 'pass', 'pass']);
    for (const { tried } of report.trials) expect(tried).toMatch(/^4 turns of DATABASE_URL: 8 boundaries.*each tried$/);
  });

  it('finds what a dependency that fails once does to the ledger, and nothing in the transaction', {
    timeout: 240_000,
  }, async () => {
    const ledger = await (await shop('ledger'))('--only', 'retry.after-error');
    expect(ledger.report.trials[0]?.findings.map(({ title }) => title).join('\n'), ledger.text).toMatch(
      /with the connection cut after turn 1 of DATABASE_URL/,
    );
    const transaction = await (await shop('transaction'))('--only', 'retry.after-error');
    expect(transaction.code, transaction.text).toBe(0);
    expect(transaction.report.trials[0]?.tried).toMatch(/^4 turns of DATABASE_URL: 13 faults, each tried$/);
  });

  it('cannot tell when the receiver does not use the variable', { timeout: 120_000 }, async () => {
    const play = await shop('ledger');
    const { report, code, text } = await play(
      '--intercept',
      'OTHER=redis://localhost:6379',
      '--only',
      'retry.after-crash',
      '--crash-at',
      'OTHER:after:1',
    );
    expect(code, text).toBe(3);
    expect(report.trials[0]?.reason).toMatch(/no such boundary/);
  });
});
