import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const root = tempFolder();
let cwd: string;
let folders = 0;

beforeEach(() => {
  cwd = join(root, String(folders++));
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{}');
});

const cli = (...args: readonly string[]) => runCli(args, { cwd });
const file = (name: string, text: string | Uint8Array) => writeFileSync(join(cwd, name), text);
const json = (text: string) => JSON.parse(text) as Record<string, unknown>;

const INVOICE = [
  'POST /hooks?a=1&a=2 HTTP/1.1',
  'Host: app.test',
  'authorization: Bearer 12345678',
  'Stripe-Signature: t=1700000000,v1=00',
  'X-A: 1',
  'x-a: caf\xe9',
  '',
  '{"id":"evt_1","object":"event","type":"invoice.paid","created":1700000000,"n":12345678901234567890,"data":{"object":{"id":"in_1"}}}',
].join('\r\n');

function line(id: string, type: string, receivedAt: string): string {
  const data = Buffer.from(JSON.stringify({ id: `evt_${id}`, type })).toString('base64');
  return `${JSON.stringify({ id, receivedAt, provider: 'generic', type, body: { encoding: 'base64', data } })}\n`;
}

const THREE =
  line('Aaaa1', 'order.created', '2026-01-01T00:00:00.000Z') +
  line('Bbbb2', 'order.paid', '2026-01-02T00:00:00.000Z') +
  line('Cccc3', 'ping', '2026-01-03T00:00:00.000Z');

async function withThree(): Promise<void> {
  file('three.jsonl', THREE);
  await cli('import', 'three.jsonl', '-q');
}

describe('import', () => {
  it('reads several formats at once and says what was new', async () => {
    file('invoice.http', Buffer.from(INVOICE, 'latin1'));
    file('three.jsonl', THREE);
    file(
      'paste.txt',
      "curl localhost:3000/x -H 'X-GitHub-Event: ping' -H 'X-GitHub-Delivery: d1' --json '{\"zen\":\"a\"}'",
    );
    const first = await cli('import', 'invoice.http', 'three.jsonl', 'paste.txt', '--tag', 'partner');
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('5 new.') });
    expect(first.stdout.split('\n').map((row) => row.split('\t').slice(1).join(' '))).toEqual([
      'stripe invoice.paid invoice.http',
      'generic order.created three.jsonl',
      'generic order.paid three.jsonl',
      'generic ping three.jsonl',
      'github ping paste.txt',
      '',
    ]);
    const again = await cli('import', 'invoice.http', 'three.jsonl', '--json');
    expect(json(again.stdout)).toMatchObject({ schema: 'webhook-replay/import/1', new: 0, alreadyThere: 4 });
    expect((await cli('list', '--tag', 'partner')).stdout.split('\n')).toHaveLength(6);
  });

  it('keeps the folder of captured data out of git', async () => {
    await withThree();
    expect(readFileSync(join(cwd, '.webhook-replay', '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('takes standard input, and gives a bare body what its provider requires', async () => {
    const args = [
      'import',
      '-',
      '--provider',
      'github',
      '--type',
      'push',
      '-H',
      'X-Own: 1',
      '--path',
      '/gh?x=1',
      '--json',
    ];
    const { stdout, code } = await runCli(args, { cwd, input: '{"ref":"main"}' });
    expect(code).toBe(0);
    expect(json(stdout)).toMatchObject({ events: [{ provider: 'github', type: 'push', kept: 'new' }] });
    const raw = (await cli('show', 'last', '--raw')).stdout;
    expect(raw).toMatch(/^POST \/gh\?x=1 HTTP\/1\.1\r\n/);
    expect(raw).toMatch(/X-GitHub-Event: push\r\n/i);
    expect(raw).toMatch(/X-Own: 1\r\n/);
    expect((await cli('show', 'last')).stdout).toMatch(/warning: bytes lost/);
  });

  it('imports nothing at all when one line is wrong', async () => {
    file('good.jsonl', THREE);
    file('bad.jsonl', `${line('Dddd4', 't', '2026-01-01T00:00:00.000Z')}{"body":\n`);
    const { code, stdout, stderr } = await cli('import', 'good.jsonl', 'bad.jsonl');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: bad\.jsonl:2: this line is not JSON/);
    expect((await cli('list')).stdout).toBe('');
  });

  it.each([
    [['import', 'nope.http'], /"nope\.http" cannot be read/],
    [['import', 'three.jsonl', '--format', 'json'], /no format called "json"/],
    [['import', 'three.jsonl', '--provider', 'strip'], /strip/],
    [['import', 'three.jsonl', '-H', 'A: 1'], /--header is only for a bare body/],
    [['import', 'three.jsonl', '--tag', 'a b'], /"a b" is no tag/],
    [['import', 'cut.http'], /cut\.http: This raw HTTP request is cut: .* 7 are missing/],
    [['import', 'event.json', '--method', 'P T'], /"P T" is no HTTP method/],
    [['import'], /needs <files>, and it is missing/],
  ])('%j is a mistake that is named', async (args, message) => {
    file('three.jsonl', THREE);
    file('event.json', '{}');
    file('cut.http', 'POST / HTTP/1.1\nContent-Length: 9\n\nab');
    const { code, stderr, stdout } = await cli(...args);
    expect(stderr).toMatch(message);
    expect([code, stdout]).toEqual([2, '']);
    expect(existsSync(join(cwd, '.webhook-replay'))).toBe(false);
  });
});

describe('list', () => {
  it('writes one plain record a line, newest first', async () => {
    await withThree();
    const { stdout, stderr, code } = await cli('ls');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      [
        'Cccc3\t2026-01-03T00:00:00.000Z\tgeneric\tping\tevt_Cccc3\t32\t-\t-',
        'Bbbb2\t2026-01-02T00:00:00.000Z\tgeneric\torder.paid\tevt_Bbbb2\t38\t-\t-',
        'Aaaa1\t2026-01-01T00:00:00.000Z\tgeneric\torder.created\tevt_Aaaa1\t41\t-\t-',
        '',
      ].join('\n'),
    );
  });

  it.each([
    [
      ['--type', 'order.*'],
      ['Bbbb2', 'Aaaa1'],
    ],
    [['--provider', 'stripe'], []],
    [['--since', '2026-01-02', '--until', '2026-01-03'], ['Bbbb2']],
    [['--limit', '1'], ['Cccc3']],
    [['--after', 'Cccc3', '--limit', '1'], ['Bbbb2']],
  ])('%j selects', async (args, expected) => {
    await withThree();
    const { stdout } = await cli('list', ...args, '--json');
    const { events } = JSON.parse(stdout) as { events: { id: string }[] };
    expect(events.map(({ id }) => id)).toEqual(expected);
  });

  it('says how to go on', async () => {
    await withThree();
    const { stderr } = await cli('list', '--limit', '2');
    expect(stderr).toBe('There are more: give the same command with --after Bbbb2\n');
  });

  it('makes no corpus where there is none', async () => {
    const { code, stdout, stderr } = await cli('list');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^There are no events yet in /);
    expect(existsSync(join(cwd, '.webhook-replay'))).toBe(false);
  });

  it.each([
    [['--limit', '0'], /whole number/],
    [['--since', 'yesterday'], /"yesterday" is no time \(--since\)/],
    [['--after', 'nope'], /no event "nope" to continue behind/],
    [['extra'], /too many words/],
  ])('%j is a mistake that is named', async (args, message) => {
    await withThree();
    const { code, stderr } = await cli('list', ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('show', () => {
  beforeEach(async () => {
    file('invoice.http', Buffer.from(INVOICE, 'latin1'));
    await cli('import', 'invoice.http', '-q');
  });

  it('shows facts, headers in order, and the body for reading, with the digits of big numbers', async () => {
    const { stdout, code } = await cli('show', 'evt_1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^id {9}\w{6}\nreceived {3}.*\nprovider {3}stripe\ntype {7}invoice\.paid\nevent {6}evt_1\n/);
    expect(stdout).toContain(
      '\nPOST /hooks?a=1&a=2\nHost: app.test\nauthorization: ***\nStripe-Signature: t=1700000000,v1=00\nX-A: 1\n',
    );
    expect(stdout).toContain('--reveal shows it');
    expect(stdout).toContain('shown as JSON, indented');
    expect(stdout).toContain('\n  "n": 12345678901234567890,\n');
    expect((await cli('show', 'evt_1', '--reveal')).stdout).toContain('authorization: Bearer 12345678\n');
  });

  it('gives request and body to the byte', async () => {
    expect((await cli('show', 'evt_1', '--body')).stdout).toBe(INVOICE.split('\r\n\r\n')[1]);
    await cli('export', 'evt_1', '--format', 'http', '-o', 'again.http');
    expect(readFileSync(join(cwd, 'again.http'))).toEqual(Buffer.from(INVOICE, 'latin1'));
  });

  it('hides credentials in JSON, too, unless told otherwise', async () => {
    const hidden = json((await cli('show', 'evt_1', '--json')).stdout);
    expect(hidden).toMatchObject({ schema: 'webhook-replay/event/1', eventId: 'evt_1', query: 'a=1&a=2' });
    expect(hidden['headers']).toContainEqual(['authorization', '***']);
    const revealed = json((await cli('show', 'evt_1', '--json', '--reveal')).stdout);
    expect(revealed['headers']).toContainEqual(['authorization', 'Bearer 12345678']);
  });

  it('shows a file that was never imported, and cannot be driven by what stands in it', async () => {
    file('odd.http', 'POST /\u001b[2J HTTP/1.1\nX: \u001b]0;title\u0007\n\n\u001b[31mred');
    const { stdout } = await cli('show', 'odd.http');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('\\x1b[31mred');
  });

  it.each([
    ['evt_2', /no event with the id "evt_2"/, /Did you mean "evt_1"\?/],
    ['typ:x', /"typ:x" names no events/, /Did you mean "type:x"\?/],
    ['three.jsonl', /"three\.jsonl" names 3 events/, /Choose one: Aaaa1, Bbbb2, Cccc3/],
  ])('%s is a mistake that is named', async (selector, ...[message, hint]) => {
    file('three.jsonl', THREE);
    const { code, stderr, stdout } = await cli('show', selector);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(hint);
  });
});

describe('tag', () => {
  it('gives and takes tags, by which events are then selected', async () => {
    await withThree();
    expect(await cli('tag', 'type:order.*', '--add', 'billing', '--add', 'x')).toMatchObject({
      code: 0,
      stderr: 'Tagged 2 events.\n',
    });
    const { stdout } = await cli('tag', '@billing', '--remove', 'x', '--json');
    expect(json(stdout)['events']).toEqual([
      { id: 'Aaaa1', tags: ['billing'] },
      { id: 'Bbbb2', tags: ['billing'] },
    ]);
  });

  it.each([
    [['tag', 'last'], /no tag to give/],
    [['tag', 'nope', '--add', 'x'], /no event with the id "nope"/],
    [['tag', 'last', '--add', '@x'], /"@x" is no tag/],
    [['tag', 'fixture:stripe/invoice.paid', '--add', 'x'], /fixture/],
    [['tag', 'three.jsonl', '--add', 'x', '--corpus', 'other.db'], /"Aaaa1" is not in the corpus/],
  ])('%j is a mistake that is named', async (args, message) => {
    await withThree();
    const { code, stderr } = await cli(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('prune', () => {
  beforeEach(withThree);
  const left = async () =>
    (await cli('list')).stdout
      .split('\n')
      .map((row) => row.split('\t')[0])
      .filter(Boolean);

  it.each([
    [['--older-than', '30d'], []],
    [['--keep', '1'], ['Cccc3']],
    [['--type', 'order.*'], ['Cccc3']],
    [
      ['--type', 'order.*', '--keep', '1'],
      ['Cccc3', 'Bbbb2'],
    ],
    [['Aaaa1', 'Cccc3'], ['Bbbb2']],
    [
      ['last:2', '--type', 'ping'],
      ['Bbbb2', 'Aaaa1'],
    ],
    [
      ['--keep', '5'],
      ['Cccc3', 'Bbbb2', 'Aaaa1'],
    ],
  ])('%j leaves %j', async (args, expected) => {
    expect((await cli('prune', ...args, '--yes')).code).toBe(0);
    expect(await left()).toEqual(expected);
  });

  it('does not ask where nobody answers, and does nothing then', async () => {
    const { code, stderr } = await cli('prune', '--keep', '1');
    expect(code).toBe(2);
    expect(stderr).toMatch(/Remove 2 events for good\?.*\n {2}hint: Say yes with --yes\./);
    expect(await left()).toHaveLength(3);
  });

  it('can be tried without removing anything', async () => {
    const tried = await cli('prune', '--keep', '1', '--dry-run');
    expect(tried).toEqual({
      code: 0,
      stdout: 'Bbbb2\nAaaa1\n',
      stderr: 'Would remove 2 events of 3. Nothing was removed.\n',
    });
    expect(await left()).toHaveLength(3);
  });

  it('reports as one document', async () => {
    const { stdout } = await cli('prune', 'Aaaa1', '--yes', '--json');
    expect(json(stdout)).toEqual({
      schema: 'webhook-replay/prune/1',
      dryRun: false,
      removed: 1,
      left: 2,
      events: ['Aaaa1'],
    });
  });

  it.each([
    [['--yes'], /Nothing says which events to remove/],
    [['--older-than', '30'], /"30" is not a duration \(--older-than\)/],
    [['--keep', '-1'], /whole number/],
    [['nope', '--yes'], /no event with the id "nope"/],
  ])('%j is a mistake that is named', async (args, message) => {
    const { code, stderr } = await cli('prune', ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(await left()).toHaveLength(3);
  });
});

describe('export', () => {
  beforeEach(withThree);

  it('writes everything as JSONL, oldest first, which an import recognises', async () => {
    const { stdout } = await cli('export');
    expect(
      stdout
        .split('\n')
        .slice(0, 3)
        .map((row) => json(row)['id']),
    ).toEqual(['Aaaa1', 'Bbbb2', 'Cccc3']);
    file('all.jsonl', stdout);
    const here = json((await cli('import', 'all.jsonl', '--json')).stdout);
    const elsewhere = json((await cli('import', 'all.jsonl', '--json', '--corpus', 'other.db')).stdout);
    expect([here['alreadyThere'], elsewhere['new']]).toEqual([3, 3]);
    expect((await cli('export', '--corpus', 'other.db')).stdout).toBe(stdout);
  });

  it('puts several raw requests into a folder, and one into a file', async () => {
    expect((await cli('export', '--format', 'http', '-o', 'out/')).code).toBe(0);
    expect(readdirSync(join(cwd, 'out'))).toEqual([
      '20260101T000000000Z_generic_order.created_Aaaa1.http',
      '20260102T000000000Z_generic_order.paid_Bbbb2.http',
      '20260103T000000000Z_generic_ping_Cccc3.http',
    ]);
    expect((await cli('export', 'last', '-o', 'one.http')).stderr).toBe('Exported 1 event to one.http.\n');
    expect(readFileSync(join(cwd, 'one.http'), 'latin1')).toMatch(/^POST \/ HTTP\/1\.1\r\n/);
  });

  it('writes curl lines that go to this machine', async () => {
    const { stdout } = await cli('export', 'last', '--format', 'curl');
    expect(stdout).toContain('curl -X POST http://localhost:3000/');
    expect(stdout).toContain(`--data-raw '{"id":"evt_Cccc3","type":"ping"}'`);
  });

  it('replaces a file whole and leaves nothing beside it', async () => {
    file('out.jsonl', 'old');
    const { stdout } = await cli('export', 'last', '-o', 'out.jsonl', '--json');
    expect(json(stdout)).toMatchObject({ schema: 'webhook-replay/export/1', events: 1 });
    expect(readdirSync(cwd).filter((name) => name.includes('out.jsonl'))).toEqual(['out.jsonl']);
  });

  it.each([
    [['export', '--format', 'http'], /holds one request, and these are 3/],
    [['export', '--format', 'jsnl'], /cannot be exported as "jsnl"/],
    [['export', '--json'], /standard output holds the summary/],
    [['export', '-o', 'no/such/folder/a.jsonl'], /cannot be written/],
    [['export', '@nope'], /No event has the tag "nope"/],
    [['export', '--corpus', 'other.db'], /nothing to export/],
  ])('%j is a mistake that is named', async (args, message) => {
    const { code, stderr } = await cli(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('a file that is no corpus', () => {
  it.each([
    ['a text file', () => file('odd.db', THREE), /is no SQLite file, not a corpus/],
    [
      'a SQLite file of another program',
      () => new Database(join(cwd, 'odd.db')).exec('CREATE TABLE a (b)').close(),
      /of another program/,
    ],
  ])('%s is refused by every command and stays as it is', async (_title, make, message) => {
    file('three.jsonl', THREE);
    make();
    const before = readFileSync(join(cwd, 'odd.db'));
    for (const args of [
      ['import', 'three.jsonl'],
      ['list'],
      ['show', 'last'],
      ['tag', 'last', '--add', 'x'],
      ['prune', '--keep', '0', '--yes'],
      ['export'],
    ]) {
      const { code, stderr } = await cli(...args, '--corpus', 'odd.db');
      expect(stderr).toMatch(message);
      expect(code).toBe(2);
    }
    expect(readFileSync(join(cwd, 'odd.db'))).toEqual(before);
  });
});
