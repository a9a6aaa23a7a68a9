import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { EXPRESS, hasPython, PYTHON, startForeign } from '../support/foreign-receiver.ts';
import { startReceiverProcess } from '../support/receiver.ts';
import { startProcess } from '../support/start-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SECRET = 'test-secret-of-the-shop';
const SIGNING = ['--provider', 'generic-hmac', '--secret', SECRET];
const SEEDS = [1, 2, 3, 4, 5];
const SLOW = { timeout: 240_000 };
const FAST = '250ms';

type Report = {
  readonly trials: ReadonlyArray<{
    readonly id: string;
    readonly verdict: string;
    readonly findings: ReadonlyArray<{ readonly check: string; readonly effect?: string }>;
  }>;
};

type Ending = (end: () => Promise<void>) => void;
type Place = { readonly url: string; readonly db: string };

const folder = tempFolder();
let count = 0;

/** A receiver of test/fixtures/receivers in a process of its own. */
async function startShop(script: string, words: readonly string[], atEnd: Ending): Promise<Place> {
  count += 1;
  const db = join(folder, `shop-${count}.db`);
  const path = fileURLToPath(new URL(`../fixtures/receivers/${script}`, import.meta.url));
  const command = [process.execPath, path, '--db', db, ...words];
  return { ...(await startProcess({ name: script, command }, { cwd: folder, atEnd })), db };
}

/** One trial of the suite: its verdict and what it found, and all of it as text. */
async function play({ url, db }: Place, trial: string, seed: number, settle = FAST) {
  const where = ['--to', url, '--effect', `shop=sqlite:${db}`, ...SIGNING];
  const how = ['--only', trial, '--seed', String(seed), '--settle', settle, '--json'];
  const { stdout, stderr, code } = await runCli(['test', ...where, ...how], { cwd: folder });
  const [played] = (JSON.parse(stdout) as Report).trials;
  const found = (played?.findings ?? []).map(({ check, effect }) => `${check} ${effect ?? ''}`.trim());
  return { code, verdict: played?.verdict, found, text: `exit ${code}\n${stderr}\n${stdout}` };
}

// Mostly waiting until all is quiet: several at a time.
describe.concurrent.each(SEEDS)('with seed %i', (seed) => {
  it('finds the worker that is blocked by one event', SLOW, async ({ expect, onTestFinished: atEnd }) => {
    const shop = await startShop('worker-shop.js', [], atEnd);
    const { verdict, found, code, text } = await play(shop, 'ack.poison', seed);
    expect(verdict, text).toBe('fail');
    expect(found, text).toContain('no-lost-effect shop.orders');
    expect(code).toBe(1);
  });

  it('passes the worker that puts such an event away', SLOW, async ({ expect, onTestFinished: atEnd }) => {
    const shop = await startShop('worker-shop.js', ['--attempts', '3'], atEnd);
    const { verdict, text } = await play(shop, 'ack.poison', seed);
    expect(verdict, text).toBe('pass');
  });

  it('finds the state that waits for ever for the one before it', SLOW, async ({ expect, onTestFinished: atEnd }) => {
    const shop = await startShop('stepwise-shop.js', [], atEnd);
    const { verdict, found, code, text } = await play(shop, 'order.gap', seed);
    expect(verdict, text).toBe('fail');
    expect(found, text).toContain('no-lost-effect shop.orders');
    expect(code).toBe(1);
  });

  it('finds the state that is refused for ever', SLOW, async ({ expect, onTestFinished: atEnd }) => {
    const shop = await startShop('stepwise-shop.js', ['--refuse'], atEnd);
    const { verdict, found, text } = await play(shop, 'order.gap', seed);
    expect(verdict, text).toBe('fail');
    expect(found, text).toContain('acknowledged');
  });

  it('passes the state that waits for a while', SLOW, async ({ expect, onTestFinished: atEnd }) => {
    const shop = await startShop('stepwise-shop.js', ['--patience', '100'], atEnd);
    const { verdict, text } = await play(shop, 'order.gap', seed, '1s');
    expect(verdict, text).toBe('pass');
  });

  it.for(['order.gap', 'ack.poison'])(
    'passes the receiver "transaction" under %s',
    SLOW,
    async (trial, { expect, onTestFinished: atEnd }) => {
      const words = ['transaction', '--port', '0', ...SIGNING, '--rename', String(seed)];
      const receiver = await startReceiverProcess(folder, words, { atEnd });
      const { verdict, text } = await play(receiver, trial, seed);
      expect(verdict, text).toBe('pass');
    },
  );
});

describe.each([
  ['express', EXPRESS],
  ['Python', PYTHON],
] as const)('a receiver on %s', (name, foreign) => {
  it.skipIf(name === 'Python' && !hasPython()).for(['order.gap', 'ack.poison'])(
    'passes %s',
    SLOW,
    async (trial, { expect, onTestFinished: atEnd }) => {
      const receiver = await startForeign(folder, foreign, { secret: SECRET, rename: 6, atEnd });
      const { verdict, text } = await play(receiver, trial, 6);
      expect(verdict, text + receiver.stderr()).toBe('pass');
    },
  );
});
