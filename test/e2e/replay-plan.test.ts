import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../support/cli.ts';
import { startRecordingReceiver } from '../support/recording-receiver.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SEQUENCE = ['order.created', 'order.updated', 'order.updated-2', 'order.cancelled'].map(
  (name) => `fixture:generic-hmac/${name}`,
);
const PATTERNS = ['duplicate', 'concurrent:3', 'out-of-order:shuffle+duplicate', 'delay:1s..9s', 'burst:4', 'retry'];

const folder = tempFolder();
const dryRun = async (words: readonly string[]) => {
  const { stdout, stderr, code } = await runCli(['replay', '--dry-run', '--to', '3000', ...words], { cwd: folder });
  expect(code, stderr).toBe(0);
  return stdout;
};

describe.concurrent('replay --dry-run', () => {
  it.for(PATTERNS)('gives the same plan for the same seed, byte for byte: %s', async (pattern, { expect }) => {
    const words = [...SEQUENCE, '--pattern', pattern, '--seed', '7', '--effect', 'sqlite:app.db'];
    const [first, second, json, again] = await Promise.all(
      [words, words, [...words, '--json'], [...words, '--json']].map(dryRun),
    );
    expect(first).toContain(`pattern ${pattern}, seed 7`);
    expect(second).toBe(first);
    expect(JSON.parse(json as string)).toMatchObject({ schema: 'webhook-replay/plan/1', plan: { pattern, seed: 7 } });
    expect(again).toBe(json);
  });

  it('shows placeholders where new ids will be, and the events by name', async ({ expect }) => {
    const text = await dryRun([...SEQUENCE.slice(0, 2), '--effect', 'sqlite:app.db']);
    const [, , ...lines] = text.trimEnd().split('\n');
    expect(lines.slice(0, 4).map((line) => /<event-\d>/.exec(line)?.[0])).toEqual([
      '<event-1>',
      '<event-1>',
      '<event-2>',
      '<event-2>',
    ]);
    expect(text).toMatch(/^<event-1> is generic-hmac order.created evt_\w+, with new ids in each round$/m);
    const { plan } = JSON.parse(await dryRun([...SEQUENCE, '--effect', 'sqlite:app.db', '--json'])) as {
      plan: { steps: readonly { delivery: { event: string } }[] };
    };
    expect(plan.steps.map(({ delivery }) => delivery.event)).toContain('<event-4>');
  });

  it('shows captured ids where those are sent', async ({ expect }) => {
    const text = await dryRun(['fixture:stripe/payment_intent.succeeded']);
    expect(text).toContain('evt_3SmQ7kLb4cWzXy8N1dTqRf2A');
    expect(text).not.toContain('<event-1>');
  });

  it('shuffles differently for another seed', async ({ expect }) => {
    const orders = await Promise.all(
      ['1', '2', '3', '4'].map(async (seed) => {
        const text = await dryRun([...SEQUENCE, '--pattern', 'out-of-order:shuffle', '--seed', seed]);
        return text.split('\n').slice(2).join('\n');
      }),
    );
    expect(new Set(orders).size).toBeGreaterThan(1);
  });

  it('says what is wrong with the flags before it plans anything', async ({ expect }) => {
    const { code, stderr } = await runCli(
      ['replay', ...SEQUENCE, '--dry-run', '--to', '3000', '--effect', 'sqlit:app.db'],
      { cwd: folder },
    );
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean sqlite:?');
  });
});

describe('a dry run', () => {
  it('sends nothing, opens no source and writes no corpus', async () => {
    const place = tempFolder();
    const receiver = await startRecordingReceiver();
    onTestFinished(receiver.close);
    writeFileSync(join(place, 'event.json'), '{"id":"evt_1","type":"order.paid"}');
    const words = ['replay', 'event.json', '--dry-run', '--to', receiver.url, '--effect', 'sqlite:not/there.db'];
    const { code, stderr } = await runCli(words, { cwd: place });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`Nothing was sent to ${receiver.url}`);
    expect(receiver.requests).toEqual([]);
    expect(existsSync(join(place, '.webhook-replay'))).toBe(false);
  });
});
