import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../support/cli.ts';
import { heldAnswers } from '../support/held-answers.ts';
import { startReceiverProcess } from '../support/receiver.ts';
import { startRecordingReceiver } from '../support/recording-receiver.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { CTRL_C, HAS_TERMINAL, hasColour, plain, startInTerminal } from '../support/terminal.ts';

const EVENT = 'fixture:generic/order.paid';
const FAR_AWAY = 'https://receiver.test/hooks';

describe.skipIf(!HAS_TERMINAL)('on a terminal (needs the script command of util-linux)', () => {
  it.each([
    ['replay', ['replay', EVENT, '--to', FAR_AWAY]],
    ['send', ['send', EVENT, '--to', FAR_AWAY]],
    ['capture', ['capture', '--port', '0', '--forward', FAR_AWAY]],
  ])('%s asks before anything leaves the machine, and no means exit 2', async (_command, words) => {
    const terminal = startInTerminal(words, { cwd: tempFolder() });
    await terminal.shows(/"receiver\.test" is not on this machine\. Send .+ there\?/);
    terminal.type('n\r');
    expect(await terminal.exit).toBe(2);
    const screen = plain(terminal.screen());
    expect(screen).toContain('nothing was sent');
    expect(screen).toContain('--allow-host receiver.test');
    expect(screen).not.toContain('Capturing on');
  });

  it('takes Ctrl-C at a question for an interruption: exit 130, no stack', async () => {
    const terminal = startInTerminal(['replay', EVENT, '--to', FAR_AWAY], { cwd: tempFolder() });
    await terminal.shows(/there\?/);
    terminal.type(CTRL_C);
    expect(await terminal.exit).toBe(130);
    expect(plain(terminal.screen())).toMatch(/error: Interrupted at the question; nothing was done\.\s*$/);
  });

  it.each([
    ['with --no-input', ['--no-input'], {}],
    ['in CI', [], { CI: 'true' }],
    ['on a dumb terminal', [], { TERM: 'dumb' }],
  ])('does not ask %s: exit 2 naming the flag', async (_where, flags, env) => {
    const terminal = startInTerminal(['send', EVENT, '--to', FAR_AWAY, ...flags], { cwd: tempFolder(), env });
    expect(await terminal.exit).toBe(2);
    expect(plain(terminal.screen())).toContain('--allow-host receiver.test');
    expect(plain(terminal.screen())).not.toContain('there?');
  });

  it('prune asks, takes Enter for a no, and removes after a yes', async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'order.json'), '{"id":"evt_1","type":"order.paid"}');
    await runCli(['import', 'order.json'], { cwd });
    const kept = startInTerminal(['prune', '--keep', '0'], { cwd });
    await kept.shows(/Remove 1 event for good\?/);
    kept.type('\r');
    expect(await kept.exit).toBe(0);
    expect(plain(kept.screen())).toContain('Removed 0 events; 1 left.');
    const removed = startInTerminal(['prune', '--keep', '0'], { cwd });
    await removed.shows(/Remove 1 event for good\?/);
    removed.type('y\r');
    expect(await removed.exit).toBe(0);
    expect(plain(removed.screen())).toContain('Removed 1 event; 0 left.');
  });

  it('says on the last line how far it is while the receiver is slow, and clears that line', async () => {
    const held = heldAnswers([0, 1]);
    const receiver = await receiverThat((answer) => held.answer(answer));
    const terminal = startInTerminal(['replay', EVENT, '--to', receiver.url, '--seed', '7'], { cwd: tempFolder() });
    await terminal.shows(/0 of 2 deliveries, \d+/);
    held.release();
    await terminal.shows(/1 of 2 deliveries/);
    held.release();
    expect(await terminal.exit).toBe(0);
    const lines = shownLines(terminal.screen());
    expect(lines[0]).toBe(`1 event to ${receiver.url}, pattern duplicate: 2 deliveries, seed 7`);
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}#2 -> \S+ attempt 2\/2 \.\.\. 200 \d+ ms$/));
    expect(lines.join('\n')).not.toContain('of 2 deliveries,');
  });

  it('says what it waits for while effects settle, and for how long', async () => {
    const receiver = await slowReceiver(0);
    const words = ['--effect', 'nothing=exec:echo 1', '--settle-first', '2s', '--settle-max', '9s'];
    const terminal = startInTerminal(['replay', EVENT, '--to', receiver.url, ...words], { cwd: tempFolder() });
    await terminal.shows(/waiting for effects, 1\.\d s \(until quiet for 500 ms, at most 9 s\)/);
    expect(await terminal.exit).toBe(3);
    expect(shownLines(terminal.screen()).join('\n')).not.toContain('waiting for effects,');
  });

  it('counts on one line where a plan is long', async () => {
    const held = heldAnswers([50]);
    const receiver = await receiverThat((answer) => held.answer(answer));
    const words = ['--pattern', 'duplicate:200', '--to', receiver.url];
    const terminal = startInTerminal(['replay', EVENT, ...words], { cwd: tempFolder() });
    await terminal.shows(/\b50 of 200 deliveries/);
    held.release();
    expect(await terminal.exit).toBe(0);
    expect(plain(terminal.screen())).not.toContain('#7 ->');
  });

  it('drains at Ctrl-C, says so, and exits 130', async () => {
    const receiver = await slowReceiver(700);
    const words = ['--pattern', 'duplicate:20', '--to', receiver.url];
    const terminal = startInTerminal(['replay', EVENT, ...words], { cwd: tempFolder() });
    await terminal.shows(/0 of 20 deliveries/);
    terminal.type(CTRL_C);
    expect(await terminal.exit).toBe(130);
    const screen = plain(terminal.screen());
    expect(screen).toMatch(/Interrupted; waiting up to [\s\S]+ Ctrl-C again stops at\s+once\./);
    expect(screen).toMatch(/\ninterrupted with [\s\S]* · run \w{6}\n$/);
    expect(receiver.requests.length).toBeLessThan(20);
  });

  it.each([
    ['has colours', {}, true],
    ['has none with NO_COLOR', { NO_COLOR: '1' }, false],
    ['has none on a dumb terminal', { TERM: 'dumb' }, false],
    ['has them with an empty NO_COLOR', { NO_COLOR: '' }, true],
    ['lets NO_COLOR win over FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '3' }, false],
  ])('%s', async (_what, env, colours) => {
    const terminal = startInTerminal(['lst'], { cwd: tempFolder(), env });
    expect(await terminal.exit).toBe(2);
    expect(hasColour(terminal.screen())).toBe(colours);
  });

  it('has no colours with --no-color, in a run with its live lines either', async () => {
    const receiver = await slowReceiver(400);
    const terminal = startInTerminal(['replay', EVENT, '--to', receiver.url, '--no-color'], { cwd: tempFolder() });
    expect(await terminal.exit).toBe(0);
    expect(hasColour(terminal.screen())).toBe(false);
  });

  it('answers a bare call with the help, and exit 2', async () => {
    const terminal = startInTerminal([], { cwd: tempFolder() });
    expect(await terminal.exit).toBe(2);
    expect(plain(terminal.screen())).toMatch(/Start here:\n {2}demo /);
  });

  it('does not wait for standard input on a terminal', async () => {
    const terminal = startInTerminal(['import', '-'], { cwd: tempFolder() });
    expect(await terminal.exit).toBe(2);
    expect(plain(terminal.screen())).toContain('"-" reads standard input, and that is a terminal.');
  });

  it.each([80, 50])('keeps a failure report within %i columns, both rows with the same cells', async (columns) => {
    const cwd = tempFolder();
    const receiver = await startReceiverProcess(cwd, ['naive']);
    const effect = ['--effect', `shop=sqlite:${receiver.db}`];
    const words = ['replay', EVENT, '--to', receiver.url, ...effect, '--settle', '100ms'];
    const terminal = startInTerminal(words, { cwd, columns });
    expect(await terminal.exit).toBe(1);
    const report = shownLines(terminal.screen());
    // A word that has no place to break at may stand out: a URL, a path, an event's id.
    const tooLong = report.filter((line) => line.length > columns && !/https?:|sqlite:|fixture:/.test(line));
    expect(tooLong).toEqual([]);
    const rows = report.filter((line) => /^ {6}added \d+: /.test(line));
    const [first = '', second = ''] = rows;
    expect(second).toContain('<- second effect');
    expect(cellNames(second)).toEqual(cellNames(first));
    expect(report.join(' ')).toMatch(/ 1 failed · 4 attempts · [\d.]+ m?s · seed \d+ · run \w{6}$/);
  });

  it('lists in columns that fit, and as records where it is narrow', async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'order.json'), '{"id":"evt_with_quite_a_long_identifier_1","type":"order.paid"}');
    await runCli(['import', 'order.json'], { cwd });
    const wide = startInTerminal(['list'], { cwd });
    expect(await wide.exit).toBe(0);
    expect(plain(wide.screen())).toMatch(/^ID +RECEIVED/);
    expect(shownLines(wide.screen()).filter((line) => line.length > 80)).toEqual([]);
    const narrow = startInTerminal(['list'], { cwd, columns: 50 });
    expect(await narrow.exit).toBe(0);
    expect(plain(narrow.screen())).toMatch(/^TYPE +order\.paid$/m);
  });
});

function slowReceiver(ms: number) {
  return receiverThat((answer) => void setTimeout(answer, ms));
}

/** @param deal what is done with an answer that is ready */
async function receiverThat(deal: (answer: () => void) => void) {
  const receiver = await startRecordingReceiver((_request, socket) => {
    deal(() => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    return undefined;
  });
  onTestFinished(receiver.close);
  return receiver;
}

/** What is left on the screen: a carriage return with a cleared line takes back what stood there. */
function shownLines(screen: string): readonly string[] {
  const lines = screen.split(/\r?\n/).map((line) => line.split('\r\u001b[K').at(-1) ?? '');
  return plain(lines.join('\n')).trimEnd().split('\n');
}

function cellNames(row: string): readonly string[] {
  return [...row.matchAll(/ (\w+)=/g)].map(([, name]) => name ?? '');
}
