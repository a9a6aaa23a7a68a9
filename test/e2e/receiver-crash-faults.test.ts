import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FAULTS } from '../../src/fixtures/receivers/faults/faults.ts';
import { renaming } from '../../src/fixtures/receivers/names.ts';
import { freePort } from '../../src/receiver/free-port.ts';
import { runCli } from '../support/cli.ts';
import { engineOf } from '../support/databases.ts';
import { listenOnLoopback } from '../support/loopback-server.ts';
import { shippingService } from '../support/shipping-service.ts';
import { tempFolder } from '../support/temp-folder.ts';

const BIN = fileURLToPath(new URL('../../bin/webhook-replay.js', import.meta.url));
const SEED = 7;

const postgres = await engineOf('postgres');

type AtEnd = (end: () => Promise<void>) => void;

/** What surrounds the receiver: words for it, words for `test`, and their environment. */
type Scene = { readonly receiver: string; readonly test: readonly string[]; readonly env?: Record<string, string> };

async function onSqlite(): Promise<Scene> {
  return { receiver: '--db sqlite:shop.db', test: ['--effect', 'sqlite:shop.db'] };
}

async function queued(): Promise<Scene> {
  const settings = join(tempFolder(), 'consumer-config.yaml');
  writeFileSync(settings, 'queue:\n  visibility_timeout: 500ms\n');
  return { receiver: `--db sqlite:shop.db --queue-config "${settings}"`, test: ['--effect', 'sqlite:shop.db'] };
}

async function onPostgres(atEnd: AtEnd): Promise<Scene> {
  const { url } = await postgres.create(atEnd);
  return {
    receiver: '--db env:DATABASE_URL',
    test: ['--intercept', 'DATABASE_URL', '--effect', url],
    env: { DATABASE_URL: url },
  };
}

/** With a service that ships once for each key, whose list is the effect. */
async function shipping(atEnd: AtEnd): Promise<Scene> {
  const { url } = await shippingService(atEnd);
  return {
    receiver: '--db sqlite:shop.db --call env:SHIPPING_URL',
    test: ['--intercept', 'SHIPPING_URL', '--effect', `${url}#`],
    env: { SHIPPING_URL: url },
  };
}

async function shippingOnPostgres(atEnd: AtEnd): Promise<Scene> {
  const { url } = await postgres.create(atEnd);
  const service = await shippingService(atEnd);
  return {
    receiver: `--db env:DATABASE_URL --call ${service.url}`,
    test: ['--intercept', 'DATABASE_URL', '--effect', `${service.url}#`],
    env: { DATABASE_URL: url },
  };
}

/** An API that knows every order that it is asked for. */
async function knowingApi(atEnd: AtEnd): Promise<Scene> {
  const server = createServer((request, response) => {
    const resourceId = decodeURIComponent(String(request.url).split('/').at(-1) ?? '');
    const order = {
      resourceId,
      orderRef: `SO-${resourceId}`,
      customer: 'buyer@shop.test',
      amount: 500,
      currency: 'eur',
    };
    response.end(JSON.stringify({ ...order, status: 'paid', occurredAt: '2026-01-05T10:00:00.000Z' }));
  });
  const url = await listenOnLoopback(server, atEnd);
  return {
    receiver: '--db sqlite:shop.db --api env:SHOP_API',
    test: ['--intercept', 'SHOP_API', '--effect', 'sqlite:shop.db'],
    env: { SHOP_API: url },
  };
}

type Show = {
  readonly fault: string;
  readonly design: string;
  readonly scene: (atEnd: AtEnd) => Promise<Scene>;
  readonly more?: readonly string[];
  /** The one boundary at which it shows, to save time; the right receiver is killed at all of them. */
  readonly crashAt?: string;
  /** The check that finds it. */
  readonly check: string;
};

const FIRST = 'DATABASE_URL:after:1';

/** One scene at least for each fault of the list that has flags. */
const SHOWS: readonly Show[] = [
  { fault: 'guard-in-memory', design: 'transaction', scene: onSqlite, check: 'no-second-effect' },
  {
    fault: 'guard-per-instance',
    design: 'transaction',
    scene: onSqlite,
    more: ['--instances', '2'],
    check: 'no-second-effect',
  },
  { fault: 'ledger-before-effect', design: 'transaction', scene: onPostgres, crashAt: FIRST, check: 'no-lost-effect' },
  { fault: 'effect-before-ledger', design: 'transaction', scene: onPostgres, check: 'no-second-effect' },
  { fault: 'claim-never-released', design: 'ledger-lease', scene: onPostgres, crashAt: FIRST, check: 'no-lost-effect' },
  { fault: 'call-before-commit', design: 'transaction', scene: shippingOnPostgres, check: 'no-second-effect' },
  { fault: 'inner-retry', design: 'transaction', scene: shipping, check: 'no-second-effect' },
  { fault: 'error-swallowed', design: 'transaction', scene: shipping, check: 'no-lost-effect' },
  { fault: 'error-swallowed', design: 'ground-truth', scene: knowingApi, check: 'no-lost-effect' },
  {
    fault: 'acked-before-queued',
    design: 'queue',
    scene: queued,
    // A job that a killed worker had in hand is nobody's until its visibility timeout is over.
    more: ['--settle', '2s'],
    check: 'no-lost-effect',
  },
];

type Report = {
  readonly trials: ReadonlyArray<{
    readonly id: string;
    readonly verdict: string;
    readonly findings: ReadonlyArray<{ readonly check: string }>;
  }>;
};

/** `test --only` the trial, with a receiver under other names that it starts itself. */
async function play(words: string, trial: string, { scene, more = [] }: Show, atEnd: AtEnd) {
  const [folder, port, { receiver, test, env = {} }] = [tempFolder(), await freePort(), await scene(atEnd)];
  const start = `"${process.execPath}" "${BIN}" receiver ${words} ${receiver} --port {port} --rename ${SEED}`;
  const where = ['--start', start, '--to', `127.0.0.1:${port}${renaming(SEED).route}`, '--provider', 'generic'];
  const chosen = ['--only', trial, '--settle', '250ms', ...more, '--json'];
  const { stdout, stderr, code } = await runCli(['test', ...where, ...test, ...chosen], { cwd: folder, env });
  const [played] = (JSON.parse(stdout) as Report).trials;
  const checks = new Set(played?.findings.map(({ check }) => check));
  return { code, verdict: played?.verdict, checks: [...checks], text: `exit ${code}\n${stderr}\n${stdout}` };
}

// Mostly waiting for processes that start and sources that get quiet: several at a time.
describe.runIf(postgres.server).concurrent('test --start, against a receiver with a fault', () => {
  it.for(SHOWS)(
    '$fault in $design is found by the trial that one would expect, and the right receiver passes it',
    { timeout: 300_000 },
    async (show, { expect, onTestFinished }) => {
      const { fault, design, crashAt, check, more = [] } = show;
      const [trial = ''] = FAULTS.find(({ id }) => id === fault)?.trials ?? [];
      const at = crashAt === undefined ? [] : ['--crash-at', crashAt];
      const wrong = await play(
        `${design} --fault ${fault}`,
        trial,
        { ...show, more: [...more, ...at] },
        onTestFinished,
      );
      expect(wrong, wrong.text).toMatchObject({ code: 1, verdict: 'fail' });
      expect(wrong.checks, wrong.text).toContain(check);
      const right = await play(design, trial, show, onTestFinished);
      expect(right, right.text).toMatchObject({ code: 0, verdict: 'pass', checks: [] });
    },
  );
});

it('has a scene for each fault with flags, and no other', () => {
  const shown = new Set(SHOWS.map(({ fault }) => fault));
  expect([...shown]).toEqual(FAULTS.filter(({ flags }) => flags !== undefined).map(({ id }) => id));
});
