import { describe, it, type TestContext } from 'vitest';
import { freePort } from '../../src/receiver/free-port.ts';
import { runCli } from '../support/cli.ts';
import { type RunningReceiver, startReceiverProcess } from '../support/receiver.ts';
import { brokenChecks, type Replayed, replay, summaryOf } from '../support/replay.ts';
import { tempFolder } from '../support/temp-folder.ts';

const EVENT = 'fixture:generic-hmac/order.paid';
const RIGHT = 'transaction';
const WRONG = 'naive';
const PATIENCE_MS = 120_000;

const folder = tempFolder();

const start = (words: readonly string[], { onTestFinished }: TestContext): Promise<RunningReceiver> =>
  startReceiverProcess(folder, words, { atEnd: onTestFinished });

const duplicate = ({ url }: RunningReceiver, words: readonly string[]): Promise<Replayed> =>
  replay(folder, [EVENT, '--to', url, ...words]);

/** Flags of the receiver, and the sources that show what it does. */
type Setup = (port: number) => {
  readonly flags: readonly string[];
  readonly effects: (receiver: RunningReceiver) => readonly string[];
};

const DATABASE = ({ db }: RunningReceiver) => ['--effect', `sqlite:${db}`];
const call = (port: number) => ['--call', `http://127.0.0.1:${port}/shipments`];

const SETUPS: Readonly<Record<string, Setup>> = {
  'rows 4 s after the answer': () => ({ flags: ['--effect-delay', '4s'], effects: DATABASE }),
  'rows 1.5 s after the answer': () => ({ flags: ['--effect-delay', '1500ms'], effects: DATABASE }),
  'rows after 5 ms and a call after 2 s': (port) => ({
    flags: ['--effect-delay', '5ms', ...call(port), '--call-delay', '2s'],
    effects: (receiver) => [...DATABASE(receiver), '--effect', `spy:${port}`],
  }),
  'calls and nothing else': (port) => ({
    flags: ['--no-db-rows', ...call(port)],
    effects: () => ['--effect', `spy:${port}`],
  }),
  'a total behind a URL': () => ({
    flags: ['--total-only'],
    effects: ({ url }) => ['--effect', `total=${new URL('/totals#/total', url)}`],
  }),
  'what a command prints': () => ({
    flags: [],
    effects: ({ url }) => {
      const print = `fetch('${new URL('/orders', url)}').then(async (answer) => console.log(await answer.text()))`;
      return ['--effect', `orders=exec:${process.execPath} -e "${print}"`];
    },
  }),
};

describe.concurrent.each(Object.entries(SETUPS))('a receiver whose effects are %s', (_name, setup) => {
  it('passes when duplicates do nothing', { timeout: PATIENCE_MS }, async (context) => {
    const { flags, effects } = setup(await freePort());
    const receiver = await start([RIGHT, ...flags], context);
    const replayed = await duplicate(receiver, effects(receiver));
    context.expect(replayed.code, summaryOf(replayed)).toBe(0);
    context.expect(replayed.report.verdict).toBe('pass');
  });

  it('fails when they do everything again', { timeout: PATIENCE_MS }, async (context) => {
    const { flags, effects } = setup(await freePort());
    const receiver = await start([WRONG, ...flags], context);
    const replayed = await duplicate(receiver, effects(receiver));
    context.expect(replayed.code, summaryOf(replayed)).toBe(1);
    context.expect(brokenChecks(replayed)).toEqual(['no-second-effect']);
    const sources = new Set(replayed.report.trials[0]?.findings.map(({ effect }) => effect?.split('.')[0]));
    context.expect(sources.size, summaryOf(replayed)).toBe(replayed.report.effects.length);
  });
});

describe.concurrent('a source that never moves', () => {
  it('is listed and does not keep the others from being judged', async (context) => {
    const receiver = await start([WRONG], context);
    const replayed = await duplicate(receiver, [...DATABASE(receiver), '--effect', 'still=exec:echo 1']);
    context.expect(replayed.code, summaryOf(replayed)).toBe(1);
    const still = replayed.report.effects.find(({ id }) => id === 'still');
    context.expect(still?.baseline).toEqual({ added: 0, changed: 0, removed: 0 });
  });
});

describe.concurrent('without a source', () => {
  const ANSWERS = [
    { what: 'every answer is 2xx', code: 0, verdict: 'pass', to: ({ url }: RunningReceiver) => url, flags: [] },
    {
      what: 'an answer is another status',
      code: 1,
      verdict: 'fail',
      to: ({ url }: RunningReceiver) => url,
      flags: ['--answers', '500,500'],
    },
    { what: 'nobody answers', code: 3, verdict: 'inconclusive', to: () => '1', flags: [] },
  ];

  it.for(ANSWERS)('is judged by answers when $what', async ({ code, verdict, to, flags }, context) => {
    const receiver = await start([WRONG, ...flags], context);
    const words = [EVENT, '--to', to(receiver)];
    const replayed = await replay(folder, words);
    context.expect(replayed.code, summaryOf(replayed)).toBe(code);
    context
      .expect(replayed.report)
      .toMatchObject({ verdict, effects: [], trials: [{ notes: ['effects: not observed'] }] });
    const { stdout } = await runCli(['replay', ...words], { cwd: folder });
    context.expect(stdout).toContain('effects: not observed');
  });
});
