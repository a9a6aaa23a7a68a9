import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/commands/context.ts';
import { registerReplay } from '../../../src/commands/replay.ts';
import { REPLAY_DEFAULTS, type ReplayOptions } from '../../../src/commands/replay-flags.ts';
import { registerSend } from '../../../src/commands/send.ts';
import { storedRequest } from '../../../src/commands/stored-request.ts';
import { createRedactor } from '../../../src/support/redact.ts';

const context = { redactor: createRedactor() } as Context;
const words = (options: ReplayOptions & { readonly corpus?: string }, selectors: readonly string[] = ['evt_1']) =>
  storedRequest(selectors, { events: [], options, context });

function optionsOf(register: (program: Command, context: Context) => void): readonly string[] {
  const program = new Command().option('--corpus <file>');
  register(program, context);
  const all = [...program.options, ...(program.commands[0]?.options ?? [])];
  return all.flatMap(({ long, short }) => [long, short]).filter((flag) => flag !== undefined);
}

const EVERYTHING = {
  pattern: 'burst:3',
  speed: '60x',
  concurrency: 3,
  settle: '1s',
  settleMax: '2s',
  settleFirst: '3s',
  maxSkew: '4s',
  to: '3000',
  provider: 'stripe',
  type: 'invoice.paid',
  secret: ['env:A', 'whsec_literal'],
  scheme: '{}',
  effect: ['sqlite:a.db'],
  ignore: ['a.b'],
  fresh: ['/a'],
  keep: ['/b'],
  rounds: 2,
  timeout: '5s',
  setup: 'true',
  reset: 'true',
  cacert: 'ca.pem',
  corpus: 'mine.db',
  header: ['A: b'],
  allowHost: ['app.test'],
  allowHeader: ['Cookie'],
  ordered: true,
  keepSignatures: true,
  keepIds: true,
  newIds: true,
  insecure: true,
  preserveHost: true,
  force: true,
};

describe('the words that ask for the same again', () => {
  it('are options of replay, all that shape a run', () => {
    const known = optionsOf(registerReplay);
    const used = words(EVERYTHING).flags.filter((word) => /^-/.test(word));
    expect(used.filter((flag) => !known.includes(flag))).toEqual([]);
    const shapeless = ['--event', '--seed', '--dry-run', '-n', '-e', '-p', '-t', '-k', '--header'];
    expect(known.filter((flag) => !used.includes(flag) && !shapeless.includes(flag))).toEqual([]);
  });

  it('leave out what holds anyway, so that send has them too', () => {
    const { flags } = words({ ...REPLAY_DEFAULTS, to: '3000' });
    expect(flags).toEqual(['--pattern', 'duplicate', '--to', '3000']);
    expect(optionsOf(registerSend)).toEqual(expect.arrayContaining(['--to', '--seed', '--corpus']));
  });

  it('never hold a secret that was given as it is', () => {
    expect(words(EVERYTHING).flags.join(' ')).toContain('--secret env:A --secret env:WEBHOOK_REPLAY_SECRET');
  });
});
