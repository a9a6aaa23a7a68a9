import { describe, expect, it } from 'vitest';
import type { Confirm } from '../../../src/commands/confirm.ts';
import type { Context } from '../../../src/commands/context.ts';
import { permitHost } from '../../../src/commands/permit-host.ts';

/** As much of a context as the question needs, at a terminal. */
const AT_TERMINAL = { stdin: { isTTY: true }, err: { isTerminal: true }, env: {} } as unknown as Context;
const AWAY = { url: new URL('https://receiver.test:8443/hooks'), what: '3 events' };

function answering(answer: boolean) {
  const asked: string[] = [];
  const ask: Confirm = async ({ question }) => {
    asked.push(question);
    return answer;
  };
  return { ask, asked };
}

describe('permitHost', () => {
  it('lets loopback pass without a word', async () => {
    const { ask, asked } = answering(false);
    await permitHost(
      { url: new URL('http://localhost:3000/'), what: '' },
      { input: true },
      { context: AT_TERMINAL, ask },
    );
    expect(asked).toEqual([]);
  });

  it('asks who sits at the terminal, and takes a yes', async () => {
    const { ask, asked } = answering(true);
    await permitHost(AWAY, { input: true }, { context: AT_TERMINAL, ask });
    expect(asked).toEqual(['"receiver.test:8443" is not on this machine. Send 3 events there?']);
  });

  it('refuses after a no', async () => {
    const { ask } = answering(false);
    await expect(permitHost(AWAY, { input: true }, { context: AT_TERMINAL, ask })).rejects.toMatchObject({
      code: 'HOST_NOT_ALLOWED',
      exitCode: 2,
    });
  });

  it('does not ask about a host that --allow-host names', async () => {
    const { ask, asked } = answering(false);
    await permitHost(AWAY, { input: true, allowHost: ['receiver.test'] }, { context: AT_TERMINAL, ask });
    expect(asked).toEqual([]);
  });

  it.each([
    ['with --no-input', { input: false }, {}],
    ['in CI', { input: true }, { env: { CI: '1' } }],
    ['with standard input in a pipe', { input: true }, { stdin: { isTTY: false } }],
    ['with standard error in a pipe', { input: true }, { err: { isTerminal: false } }],
  ])('refuses without asking %s', async (_where, options, change) => {
    const { ask, asked } = answering(true);
    const context = { ...AT_TERMINAL, ...change } as unknown as Context;
    await expect(permitHost(AWAY, options, { context, ask })).rejects.toMatchObject({
      hint: expect.stringContaining('--allow-host receiver.test'),
    });
    expect(asked).toEqual([]);
  });
});
