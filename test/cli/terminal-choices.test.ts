import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../support/cli.ts';
import { startRecordingReceiver } from '../support/recording-receiver.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { CTRL_C, HAS_TERMINAL, plain, startInTerminal } from '../support/terminal.ts';

const DOWN = '\u001b[B';

describe.skipIf(!HAS_TERMINAL)('choices on a terminal (needs the script command of util-linux)', () => {
  it('replay asks for an event, a pattern and the receiver, says the same as one line, and replays', async () => {
    const receiver = await startRecordingReceiver();
    onTestFinished(receiver.close);
    const terminal = startInTerminal(['replay', '--seed', '7'], {
      cwd: await corpusOf('order.paid', 'order.refunded'),
    });
    await terminal.shows(/Which event\?[\s\S]*order\.refunded[\s\S]*order\.paid[\s\S]*fixture:stripe/);
    terminal.type('paid gener');
    await terminal.shows(/paid gener/);
    terminal.type('\r');
    await terminal.shows(/How does it arrive\?/);
    terminal.type(`${DOWN}\r`);
    await terminal.shows(/To which receiver\?/);
    terminal.type(`${receiver.port}\r`);
    expect(await terminal.exit).toBe(0);
    const line = /webhook-replay replay \S+ --pattern concurrent --seed 7 --to (\d+)/.exec(plain(terminal.screen()));
    expect(line?.[1]).toBe(String(receiver.port));
    expect(receiver.requests.map(({ body }) => body.toString())).toEqual(Array(2).fill(bodyOf('order.paid')));
  });

  it('send asks for an event only when there is none, and says below the answer what is wrong with a receiver', async () => {
    const receiver = await startRecordingReceiver();
    onTestFinished(receiver.close);
    const words = ['send', 'fixture:generic/order.paid', '--secret', 'literalSecret', '--provider', 'generic-hmac'];
    const terminal = startInTerminal(words, { cwd: tempFolder() });
    await terminal.shows(/To which receiver\?/);
    terminal.type('ftp://x\r');
    await terminal.shows(/cannot be sent over "ftp:"/);
    terminal.type(`${'\u007f'.repeat('ftp://x'.length)}${receiver.port}\r`);
    expect(await terminal.exit).toBe(0);
    expect(receiver.requests).toHaveLength(1);
    const screen = plain(terminal.screen());
    expect(screen).toContain('--secret env:WEBHOOK_REPLAY_SECRET');
    expect(screen).not.toContain('Which event?');
    expect(screen).not.toContain('literalSecret');
  });

  it('asks for no pattern when one was given', async () => {
    const words = ['replay', '--pattern', 'once', '--to', '1', '--dry-run'];
    const terminal = startInTerminal(words, { cwd: await corpusOf('order.paid') });
    await terminal.shows(/Which event\?/);
    terminal.type('\r');
    expect(await terminal.exit).toBe(0);
    expect(plain(terminal.screen())).not.toContain('How does it arrive?');
  });

  it('takes Ctrl-C at a choice for an interruption: exit 130', async () => {
    const terminal = startInTerminal(['replay'], { cwd: tempFolder() });
    await terminal.shows(/Which event\?/);
    terminal.type(CTRL_C);
    expect(await terminal.exit).toBe(130);
  });

  it.each([
    ['--no-input', ['replay', '--no-input'], {}],
    ['--json', ['send', '--json'], {}],
    ['a report in JSON', ['replay', '--reporter', 'ndjson'], {}],
    ['a CI job', ['replay'], { CI: '1' }],
  ])('asks nothing with %s: exit 2', async (_what, words, env) => {
    const terminal = startInTerminal(words, { cwd: tempFolder(), env });
    expect(await terminal.exit).toBe(2);
    expect(plain(terminal.screen())).not.toContain('Which event?');
  });
});

describe('without a terminal', () => {
  it.each(['replay', 'send'])('%s names what is missing: exit 2', async (command) => {
    const { code, stderr } = await runCli([command], { cwd: tempFolder() });
    expect(code).toBe(2);
    expect(stderr).toMatch(/fixture:/);
  });
});

/** A working folder with these events in its corpus, the last the newest. */
async function corpusOf(...types: readonly string[]): Promise<string> {
  const cwd = tempFolder();
  for (const type of types) {
    writeFileSync(join(cwd, 'event.json'), bodyOf(type));
    await runCli(['import', 'event.json'], { cwd });
  }
  return cwd;
}

function bodyOf(type: string): string {
  return JSON.stringify({ id: `evt_${type}`, type });
}
