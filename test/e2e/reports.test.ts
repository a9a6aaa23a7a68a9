import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { startReceiverProcess } from '../support/receiver.ts';
import { junitTroubles, readXml } from '../unit/report/junit-rules.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SIGNED = ['--provider', 'generic-hmac', '--secret', SECRET];
const ONE = 'fixture:generic-hmac/order.paid';

const work = mkdtempSync(join(tmpdir(), 'reports-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

function newFolder(): string {
  return mkdtempSync(join(work, 'case-'));
}

function read(folder: string, ...path: readonly string[]): string {
  return readFileSync(join(folder, ...path), 'utf8');
}

describe.concurrent('a gate in CI', () => {
  it.for([
    { name: 'broken', design: ['ledger', '--fault', 'no-guard'], exit: 1 },
    { name: 'right', design: ['transaction'], exit: 0 },
  ])(
    'leaves a JUnit file, annotations, a job summary and a JSON document of a receiver that is $name',
    { timeout: 60_000 },
    async ({ design, exit }, { expect, onTestFinished: atEnd }) => {
      const folder = newFolder();
      const receiver = await startReceiverProcess(folder, [...design, ...SIGNED, '--port', '0'], { atEnd });
      const summary = join(folder, 'summary.md');
      writeFileSync(summary, 'what another tool wrote\n');
      const words = [
        '--to',
        receiver.url,
        '--effect',
        `sqlite:${receiver.db}`,
        '--settle',
        '250ms',
        '--max-skew',
        '10s',
        ...SIGNED,
      ];
      const reporters = ['junit=out/deep/junit.xml', 'github', 'json=report.json', 'ndjson=progress.ndjson'];
      const { stdout, stderr, code } = await runCli(
        [
          'test',
          ...words,
          '--only',
          'duplicate.sequential',
          '--only',
          'auth.*',
          ...reporters.flatMap((word) => ['--reporter', word]),
        ],
        { cwd: folder, env: { GITHUB_STEP_SUMMARY: summary } },
      );
      expect(code, stdout + stderr).toBe(exit);

      const root = readXml(read(folder, 'out', 'deep', 'junit.xml'));
      expect(junitTroubles(root)).toEqual([]);
      expect(Number(root.attributes['failures']) > 0).toBe(exit === 1);
      expect(root.attributes['errors']).toBe('0');

      expect(stdout).toContain('duplicate.sequential');
      const commands = stdout.split('\n').filter((line) => line.startsWith('::'));
      expect(commands.some((line) => line.startsWith('::error title=webhook-replay%3A duplicate.sequential'))).toBe(
        exit === 1,
      );

      expect(read(folder, 'summary.md')).toMatch(/^what another tool wrote\n## . webhook-replay test: (?:fail|pass)\n/);
      const report = JSON.parse(read(folder, 'report.json'));
      expect(report).toMatchObject({ schema: 'webhook-replay/report/1', verdict: exit === 1 ? 'fail' : 'pass' });

      const lines = read(folder, 'progress.ndjson')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_line, at) => at + 1));
      expect(lines.filter(({ type }) => type === 'attempted')).toHaveLength(report.counts.attempts);
      expect(lines.at(-1)).toMatchObject({ type: 'finished', report });

      const written = [
        stdout,
        stderr,
        ...['out/deep/junit.xml', 'summary.md', 'report.json', 'progress.ndjson'].map((name) => read(folder, name)),
      ];
      expect(written.filter((text) => text.includes(SECRET))).toEqual([]);
      expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
  );

  it('lists the run and shows it again with another reporter: exit 0, since it only shows', async ({
    expect,
    onTestFinished: atEnd,
  }) => {
    const folder = newFolder();
    const receiver = await startReceiverProcess(folder, ['naive', '--port', '0'], { atEnd });
    const words = ['--to', receiver.url, '--effect', `sqlite:${receiver.db}`, '--settle', '250ms'];
    const replayed = await runCli(
      ['replay', ONE, '--pattern', 'duplicate:3', ...words, '--json', '--reporter', 'github'],
      { cwd: folder },
    );
    expect(replayed.code).toBe(1);
    // A document on standard output has it to itself.
    expect(replayed.stderr).toContain('::error title=webhook-replay%3A replay no-second-effect');
    const { run } = JSON.parse(replayed.stdout);
    const listed = await runCli(['runs'], { cwd: folder });
    expect(listed.stdout).toMatch(
      new RegExp(`^${run.id}\t\\S+Z\treplay\tfail\tduplicate:3, 1 event\t${receiver.url}\t`),
    );
    const asJson = await runCli(['runs', '--limit', '1', '--json'], { cwd: folder });
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      schema: 'webhook-replay/runs/1',
      runs: [{ id: run.id, verdict: 'fail', pattern: 'duplicate:3', summary: { fail: 1 } }],
    });
    const shown = await runCli(['report', 'last', '--reporter', 'junit'], { cwd: folder });
    expect(shown.code).toBe(0);
    expect(junitTroubles(readXml(shown.stdout))).toEqual([]);
    const again = await runCli(['report', run.id, '--reporter', 'json=again.json', '--quiet'], { cwd: folder });
    expect(again.code).toBe(0);
    expect(JSON.parse(read(folder, 'again.json'))).toEqual(JSON.parse(replayed.stdout));
    const judged = await runCli(['judge', 'last', '--quiet'], { cwd: folder });
    expect(judged.code).toBe(1);
  });

  it('streams to standard output when asked, and sends the answer of send nowhere else', async ({
    expect,
    onTestFinished: atEnd,
  }) => {
    const folder = newFolder();
    const receiver = await startReceiverProcess(folder, ['naive', '--port', '0'], { atEnd });
    const { stdout, code } = await runCli(['send', ONE, '--to', receiver.url, '--reporter', 'ndjson'], { cwd: folder });
    expect(code).toBe(0);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ type: 'finished', report: { run: { command: 'send' }, verdict: 'pass' } });
  });
});

describe.concurrent('a report that cannot be', () => {
  it.for<readonly [string, readonly string[], RegExp]>([
    ['of an unknown name', ['junitt=a.xml'], /There is no reporter "junitt"\.\n {2}hint: Did you mean "junit"\?/],
    ['two on standard output', ['junit', 'json'], /"junit" and "json" cannot both go to standard output/],
    ['two in one file', ['junit=a', 'json=./a'], /cannot both go to the file/],
    ['in a file without a name', ['junit='], /"junit=" names no file/],
    ['in a file that takes none', ['github=a'], /"github" takes no file/],
    ['in a folder', ['junit=folder'], /The report ".*folder" \(junit\) cannot be written: it is a folder/],
    ['below a file', ['junit=file/junit.xml'], /cannot be written: .*(?:ENOTDIR|EEXIST)/],
  ])('is found before anything is sent: %s', async ([, words, message], { expect, onTestFinished: atEnd }) => {
    const folder = newFolder();
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'file'), 'kept');
    const receiver = await startReceiverProcess(folder, ['naive', '--port', '0'], { atEnd });
    const reporters = words.flatMap((word) => ['--reporter', word]);
    const { stderr, code } = await runCli(['replay', ONE, '--to', receiver.url, ...reporters], { cwd: folder });
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(receiver.rows('orders')).toEqual([]);
    expect(read(folder, 'file')).toBe('kept');
    expect(existsSync(join(folder, 'a'))).toBe(false);
  });

  it('ends a stream with the error when no run came of it', async ({ expect }) => {
    const { stdout, code } = await runCli(['replay', 'no-such-event', '--to', '1', '--reporter', 'ndjson'], {
      cwd: newFolder(),
    });
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'error', error: { code: 'NOTHING_SELECTED' } });
    expect(code).toBe(2);
  });
});
