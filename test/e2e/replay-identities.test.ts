import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FIXTURES } from '../../src/fixtures/fixtures.ts';
import { startReceiverProcess } from '../support/receiver.ts';
import { startRecordingReceiver } from '../support/recording-receiver.ts';
import { brokenChecks, replay, summaryOf } from '../support/replay.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SEEDS = ['1', '2', '3'];
const ONE = 'fixture:stripe/payment_intent.succeeded';
const QUICK = ['--settle', '200ms'];
/** Their effects are there before the answer, and it is not the schedule that is on trial here. */
const UNHURRIED = ['--settle', '100ms', '--max-skew', '1m'];
const PATTERNS = [
  'duplicate',
  'out-of-order:shuffle',
  'out-of-order:swap',
  'out-of-order+duplicate',
  'burst:5',
  'delay:50ms',
  'retry',
];

const folder = tempFolder();

const sequenceOf = (wanted: string) =>
  FIXTURES.filter(({ role, facts }) => role === 'sequence' && facts.provider === wanted).map(
    ({ name }) => `fixture:${name}`,
  );

describe.concurrent.each(['stripe', 'shopify', 'github'])('the events of one resource of %s', (provider) => {
  it('keep their relations under every pattern, again and again on one database', { timeout: 240_000 }, async ({
    expect,
    onTestFinished: atEnd,
  }) => {
    const receiver = await startReceiverProcess(folder, ['transaction'], { atEnd });
    const events = sequenceOf(provider);
    expect(events).toHaveLength(4);
    for (const pattern of PATTERNS) {
      for (const seed of SEEDS) {
        const plan = [...events, '--pattern', pattern, '--seed', seed, '--speed', '100000x', ...UNHURRIED];
        const replayed = await replay(folder, [...plan, '--to', receiver.url, '--effect', `sqlite:${receiver.db}`]);
        expect(replayed.code, `${pattern}, seed ${seed}: ${summaryOf(replayed)}`).toBe(0);
      }
    }
    // Every run makes at least three orders of its own, and each order is one row, never two.
    expect(receiver.rows('orders').length).toBeGreaterThanOrEqual(3 * PATTERNS.length * SEEDS.length);
  });
});

describe('the receiver "ledger"', () => {
  it('passes duplicates, run after run on one database', async () => {
    const receiver = await startReceiverProcess(folder, ['ledger']);
    for (const seed of [...SEEDS, '1']) {
      const words = [ONE, '--pattern', 'duplicate:3', '--seed', seed, '--to', receiver.url, ...QUICK];
      const replayed = await replay(folder, [...words, '--effect', `sqlite:${receiver.db}`]);
      expect(replayed.code, summaryOf(replayed)).toBe(0);
    }
  });
});

describe('--reset', () => {
  const DRIVER = createRequire(import.meta.url).resolve('better-sqlite3');
  const CLEAR = `
    const db = new (require(${JSON.stringify(DRIVER)}))(process.argv[2], { timeout: 5000 });
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
    for (const { name } of tables) db.exec('DELETE FROM "' + name + '"');`;
  const script = join(folder, 'clear.cjs');
  writeFileSync(script, CLEAR);

  const withReset = async (design: string, words: readonly string[]) => {
    const receiver = await startReceiverProcess(folder, [design]);
    const reset = ['--reset', `"${process.execPath}" "${script}" "${receiver.db}"`];
    const flags = ['--to', receiver.url, '--effect', `sqlite:${receiver.db}`, ...QUICK];
    return { receiver, replayed: await replay(folder, [ONE, ...words, ...flags, ...reset]) };
  };

  it.each([
    ['transaction', 0, []],
    ['naive', 1, ['no-second-effect']],
  ] as const)('lets the captured ids be sent again and again: %s', async (design, code, broken) => {
    const { receiver, replayed } = await withReset(design, []);
    expect(replayed.code, summaryOf(replayed)).toBe(code);
    expect(brokenChecks(replayed)).toEqual(broken);
    expect(receiver.rows('orders')).toMatchObject([{ order_ref: 'SO-2026-2M8X5V1K' }, ...(code === 1 ? [{}] : [])]);
  });

  it('clears before each round of a race', async () => {
    const { replayed } = await withReset('transaction', ['--pattern', 'concurrent:2']);
    expect(replayed.code, summaryOf(replayed)).toBe(0);
    expect(replayed.report.trials[0]?.rounds).toBe(20);
  });

  it('that clears too little is named as the reason why nothing can be told', async () => {
    const receiver = await startReceiverProcess(folder, ['transaction']);
    const words = [ONE, '--to', receiver.url, '--effect', `sqlite:${receiver.db}`, '--reset', 'exit 0', ...QUICK];
    const replayed = await replay(folder, words);
    expect(replayed.code, summaryOf(replayed)).toBe(3);
    expect(replayed.report.trials[0]?.reason).toContain('--reset must clear that, too');
  });

  it('that fails ends the run with 3 and its own name', async () => {
    const receiver = await startReceiverProcess(folder, ['transaction']);
    const words = [ONE, '--to', receiver.url, '--effect', `sqlite:${receiver.db}`, '--reset', 'exit 7'];
    const { code, stderr } = await replay(folder, words);
    expect(code).toBe(3);
    expect(stderr).toContain('--reset "exit 7" ended with exit code 7');
  });
});

describe('--setup', () => {
  it('gets old and new ids on standard input before each round, and what it changes is no effect', async () => {
    const receiver = await startReceiverProcess(folder, ['transaction']);
    const log = join(folder, 'setup.jsonl');
    const setup = `cat >> ${log} && echo >> ${log}`;
    const words = [ONE, '--to', receiver.url, '--effect', `sqlite:${receiver.db}`, '--setup', setup, ...QUICK];
    const replayed = await replay(folder, words);
    expect(replayed.code, summaryOf(replayed)).toBe(0);
    const maps = readFileSync(log, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    expect(maps).toHaveLength(3);
    const references = maps.map((map) => map['SO-2026-2M8X5V1K']);
    expect(new Set(references).size).toBe(3);
    expect(receiver.rows('orders').map((row) => row['order_ref'])).toEqual(references);

    const prepared = await replay(folder, [
      ...['fixture:stripe/unknown-type', '--to', receiver.url, '--settle-first', '300ms', ...QUICK],
      ...['--setup', `cat >> ${log}`, '--effect', `log=exec:wc -c < ${log}`],
    ]);
    expect(prepared.code, summaryOf(prepared)).toBe(3);
    expect(prepared.report.trials[0]?.reason).toContain('showed no effect in log');
  });
});

describe('the flags of a plan', () => {
  it('--rounds repeats the pattern with ids of its own', async () => {
    const receiver = await startReceiverProcess(folder, ['transaction']);
    const words = [ONE, '--rounds', '4', '--to', receiver.url, '--effect', `sqlite:${receiver.db}`, ...QUICK];
    const replayed = await replay(folder, words);
    expect(replayed.code, summaryOf(replayed)).toBe(0);
    expect(replayed.report.trials[0]?.rounds).toBe(4);
    expect(receiver.rows('orders')).toHaveLength(2 + 4);
  });

  it.each([
    ['--ordered keeps one delivery open at a time, whatever their resources', ['--ordered'], 1],
    ['--concurrency 1 does so, too', ['--concurrency', '1'], 1],
    ['--concurrency 3 lets three be open', ['--concurrency', '3'], 3],
  ])('%s', async (_title, flags, most) => {
    let [open, seen] = [0, 0];
    const receiver = await startRecordingReceiver((_request, socket) => {
      open += 1;
      seen = Math.max(seen, open);
      setTimeout(() => {
        open -= 1;
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      }, 40);
      return undefined;
    });
    onTestFinished(receiver.close);
    const events = ['payment_intent.succeeded', 'customer.subscription.created', 'unknown-type'].map(
      (name) => `fixture:stripe/${name}`,
    );
    const words = [...events, 'fixture:github/issues.opened', '--pattern', 'duplicate', '--to', receiver.url];
    const replayed = await replay(folder, [...words, ...flags]);
    expect(replayed.code, summaryOf(replayed)).toBe(0);
    expect(receiver.requests).toHaveLength(8);
    expect(seen).toBe(most);
  });
});
