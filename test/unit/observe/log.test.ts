import { appendFileSync, copyFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { effectsOf, openSource } from '../../support/probes.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
let count = 0;

function newLog(text = '') {
  const name = `app-${++count}.log`;
  const file = join(folder, name);
  writeFileSync(file, text);
  return { name, file, append: (more: string) => appendFileSync(file, more) };
}

async function linesOf(source: string, act: () => unknown): Promise<readonly unknown[]> {
  const effects = await effectsOf(await openSource(source, folder), act);
  return effects.map(({ after }) => after?.['line'] ?? after);
}

describe('log', () => {
  it('shows new lines that match, not those that were there', async () => {
    const { name, append } = newLog('charged 1\n');
    const act = () => append('charged 2\nother\r\nCHARGED 3\r\n');
    expect(await linesOf(`log:${name}#/^charged/i`, act)).toEqual(['charged 2', 'CHARGED 3']);
  });

  it('makes cells of named groups, and takes every line where there is no expression', async () => {
    const { name, append } = newLog();
    const act = () => append('12:00 charged order=7 cents=100\n');
    expect(await linesOf(`log:${name}#/order=(?<order>\\d+)( ref=(?<ref>\\w+))?/`, act)).toEqual([{ order: '7' }]);
    expect(await linesOf(`log:${name}`, () => append('x\n\n'))).toEqual(['x', '']);
  });

  it('takes a line in two pieces as one, also when the first was there before', async () => {
    const { name, append } = newLog('old\ncharged ');
    const probe = await openSource(`log:${name}#/charged/`, folder);
    append('7, char');
    await probe.read();
    append('ged\n');
    expect((await probe.read()).collections[0]?.rows.map(({ cells }) => cells)).toEqual([
      { line: 'charged 7, charged' },
    ]);
  });

  it('reads on when the file is moved away and another takes its place', async () => {
    const { name, file, append } = newLog('old\n');
    const probe = await openSource(`log:${name}`, folder);
    append('1\n');
    renameSync(file, `${file}.1`);
    await probe.read();
    appendFileSync(`${file}.1`, '2\n');
    writeFileSync(file, '3\n');
    await probe.read();
    // Its writer has not let go of it yet.
    appendFileSync(`${file}.1`, '4\n');
    append('5\n');
    const { collections } = await probe.read();
    expect(collections[0]?.rows.map(({ cells }) => cells['line'])).toEqual(['1', '2', '3', '4', '5']);
  });

  it.each([
    ['less than there was', 'b\n'],
    ['more than there was', 'b\nsome more than there was before\n'],
  ])('reads on when the file is copied away and emptied, and then holds %s', async (_how, more) => {
    const { name, file, append } = newLog('some lines\n');
    const probe = await openSource(`log:${name}`, folder);
    append('a\n');
    await probe.read();
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
    append(more);
    const { collections } = await probe.read();
    expect(collections[0]?.rows.map(({ cells }) => `${cells['line']}\n`).join('')).toBe(`a\n${more}`);
  });

  it('waits for a file that is not there yet, but not for its folder', async () => {
    expect(await linesOf('log:later.log', () => writeFileSync(join(folder, 'later.log'), 'first\n'))).toEqual([
      'first',
    ]);
    await expect(openSource('log:nowhere/app.log', folder)).rejects.toMatchObject({ exitCode: 3 });
    mkdirSync(join(folder, 'sub'));
    await expect(openSource('log:sub', folder)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('"sub" is not a file'),
    });
    rmSync(join(folder, 'later.log'));
  });

  it('looks at the beginning of a very long line, and goes on behind it', async () => {
    const { name, append } = newLog();
    const lines = await linesOf(`log:${name}`, () => append(`${'x'.repeat(300_000)}\nshort\n`));
    expect(lines.map((line) => String(line).length)).toEqual([65_536, 5]);
  });

  it('does not hang on an expression that backtracks for ever', async () => {
    const { name, append } = newLog();
    const probe = await openSource(`log:${name}#/^(a+)+$/`, folder);
    append(`${'a'.repeat(60)}b\n`);
    await expect(probe.read()).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('takes too long on the lines of the file'),
    });
  });
});
