import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Probe } from '../../../src/model/effect.ts';
import type { SourceContext } from '../../../src/observe/source.ts';
import { openProbe, openProbes, SOURCES } from '../../../src/observe/sources.ts';
import { systemClock } from '../../../src/support/clock.ts';

let context: SourceContext;

beforeAll(() => {
  const cwd = mkdtempSync(join(tmpdir(), 'sources-'));
  const db = new Database(join(cwd, 'app.db'));
  db.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY); CREATE TABLE mails (id INTEGER PRIMARY KEY);');
  db.close();
  context = { cwd, env: process.env, clock: systemClock };
});

afterAll(() => rmSync(context.cwd, { recursive: true, force: true }));

async function namesOf(...texts: readonly string[]): Promise<readonly string[]> {
  const probes = await openProbes(texts, context);
  await Promise.all(probes.map((probe) => probe.close()));
  return probes.map(({ name }) => name);
}

async function closed(opening: Promise<Probe>): Promise<Probe> {
  const probe = await opening;
  await probe.close();
  return probe;
}

describe('openProbe', () => {
  it.each([
    ['sqlite:app.db#orders', 'orders'],
    ['sqlite:app.db#orders,mails', 'app.db'],
    ['sqlite:app.db', 'app.db'],
    ['sqlite://app.db', 'app.db'],
    ['SQLITE:app.db#orders', 'orders'],
    ['shop=sqlite:app.db', 'shop'],
    ['my-shop_2.a=sqlite:app.db', 'my-shop_2.a'],
    ['bücher=sqlite:app.db', 'bücher'],
    ['spy:0', 'spy'],
    ['payments=spy:0', 'payments'],
    ['exec:echo 1', 'echo'],
    ['exec:/bin/echo 1', 'echo'],
    ['exec:A=sqlite:x; echo 1', 'Asqlitex'],
    ['n=exec:true', 'n'],
  ])('calls %s by the name "%s"', async (text, name) => {
    expect((await closed(openProbe(text, context))).name).toBe(name);
  });

  it('keeps the source as it was written, without the name in front', async () => {
    expect((await closed(openProbe('shop=sqlite:app.db#orders', context))).source).toBe('sqlite:app.db#orders');
  });

  it.each([
    'exec:echo postgres://ann:hunter2@db.test/x?token=hunter2',
    'exec:curl "https://hunter2@api.test/?api_key=hunter2&a=1"; true',
    'spy:0,forward=http://ann:hunter2@127.0.0.1:1/?key=hunter2',
  ])('hides the credentials of %s', async (text) => {
    const probe = await closed(openProbe(text.replace('curl', 'echo'), context));
    expect(probe.source).not.toContain('hunter2');
    expect(probe.source).toContain('***@');
  });

  it.each([
    ['sqlit:app.db', 'There is no effect source called "sqlit" (--effect "sqlit:app.db").', 'Did you mean sqlite:?'],
    [
      'orders=sqlit:app.db',
      'There is no effect source called "sqlit" (--effect "orders=sqlit:app.db").',
      'Did you mean sqlite:?',
    ],
    ['htps://a.test', 'There is no effect source called "htps" (--effect "htps://a.test").', 'Did you mean https:?'],
    [
      'carrier-pigeon:x',
      '"carrier-pigeon:x" does not say what kind of source it is (--effect).',
      'Write it as one of: ',
    ],
    [
      'app.db#orders',
      '"app.db#orders" does not say what kind of source it is (--effect).',
      'Did you mean sqlite:app.db#orders?',
    ],
    ['sqlite:', '"sqlite:" names no file (--effect).', 'Write it as sqlite:PATH#table,table.'],
    ['sqlite:#orders', '"sqlite:#orders" names no file (--effect).', 'Write it as sqlite:PATH#table,table.'],
    ['exec: ', '"exec: " names no command (--effect).', 'Write it as exec:COMMAND.'],
    ['http:///x', '"http:///x" is not a URL (--effect).', 'Write it as http://HOST/PATH#/json/pointer.'],
    [
      'http://a.test#a.b',
      '"http://a.test#a.b" has no JSON pointer behind "#" (--effect).',
      'A pointer starts with a slash: #/a/b',
    ],
    ['spy:x', '"spy:x" has no port: "x" is not one (--effect).', 'Write it as spy:PORT'],
    ['spy:70000', '"spy:70000" has no port: "70000" is not one (--effect).', 'Write it as spy:PORT'],
    ['spy:0,statsu=201', 'A spy has no option "statsu" (--effect "spy:0,statsu=201").', 'Did you mean status=?'],
    [
      'spy:0,status=99',
      '"spy:0,status=99" has the status "99", which is not one from 200 to 599 (--effect).',
      'Write it as',
    ],
    ['spy:0,forward=x', '"spy:0,forward=x" forwards to "x", which is not a URL (--effect).', 'Write it as'],
    [
      'spy:0,forward=http://a.test,status=200',
      '"spy:0,forward=http://a.test,status=200" cannot both forward and answer by itself (--effect).',
      'Write it as',
    ],
    ['smtp:x', '"smtp:x" has no port: "x" is not one (--effect).', 'Write it as smtp:PORT or smtp:HOST:PORT.'],
    ['log:#/x/', '"log:#/x/" names no file (--effect).', 'Write it as log:PATH#/regex/flags.'],
    ['log:a.log#x', '"log:a.log#x" has no regular expression behind "#" (--effect).', 'log:PATH#/x/'],
    ['log:a.log#/(/', '"log:a.log#/(/" has a wrong regular expression: Invalid', 'Write it as log:PATH#/regex/flags.'],
    ['metrics+http://h/metrics', 'names no metric, and all of them never stand still (--effect).', 'metrics#name,name'],
    ['metrics+http:h#a', '"metrics+http:h#a" is not a URL (--effect).', 'Write it as metrics+http://'],
    ['amqp://h', '"amqp://h" names no queue and no exchange (--effect).', 'Write it as amqp://'],
    ['nats://h', '"nats://h" names no subject (--effect).', 'Write it as nats://HOST:PORT#subject'],
    ['nats://h#a..b', '"nats://h#a..b" has the subject "a..b" (--effect).', 'Write it as nats://'],
    ['spy:0,status=200,status=201', '"spy:0,status=200,status=201" gives an option twice (--effect).', 'Write it as'],
    ['postgres://h:hunter2@/', '"postgres://***@/" names no database (--effect).', 'Write it as postgres://'],
    ['mysql://h#orders', '"mysql://h#orders" names no database (--effect).', 'Write it as mysql://'],
    [
      'postgres://u:hunter2@h/db#a.b.c',
      '"a.b.c" is no name of a table in "postgres://***@h/db#a.b.c" (--effect).',
      'Write table or schema.table',
    ],
    ['spy:0,delay=5', '"5" is not a duration (--effect spy:0,delay=5).', 'Add a unit: 5ms or 5s.'],
  ])('refuses %s as wrong usage', async (text, message, hint) => {
    await expect(openProbe(text, context)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });

  it.each(SOURCES.map(({ scheme, form }) => [scheme, form]))(
    'writes the form of %s with its scheme',
    (scheme, form) => {
      expect(form.startsWith(`${scheme}:`)).toBe(true);
    },
  );
});

describe('openProbes', () => {
  it('gives made names that are taken a number, and never changes a given one', async () => {
    expect(await namesOf('spy:0', 'spy:0', 'spy-2=exec:true', 'spy:0', 'orders=spy:0', 'sqlite:app.db#orders')).toEqual(
      ['spy', 'spy-3', 'spy-2', 'spy-4', 'orders', 'orders-2'],
    );
  });

  it('refuses one name for two effects', async () => {
    await expect(namesOf('a=spy:0', 'a=exec:true')).rejects.toMatchObject({
      exitCode: 2,
      message: 'Two effects are called "a" (--effect).',
    });
  });

  it('opens nothing when one source is written wrong, and leaves nothing open when one cannot be read', async () => {
    const [port] = await withFreePort();
    await expect(openProbes([`spy:${port}`, 'sqlite:missing.db'], context)).rejects.toMatchObject({ exitCode: 3 });
    await expect(openProbes([`spy:${port}`, 'sqlit:app.db'], context)).rejects.toMatchObject({ exitCode: 2 });
    await closed(openProbe(`spy:${port}`, context));
  });

  it('says so when a port is taken', async () => {
    const first = await openProbe('spy:0', context);
    const { port } = new URL(first.url ?? '');
    await expect(openProbe(`spy:${port}`, context)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(`"spy:${port}" cannot listen: the address is in use already`),
    });
    await first.close();
  });
});

/** A port that was free a moment ago. */
async function withFreePort(): Promise<readonly [string]> {
  const probe = await openProbe('spy:0', context);
  await probe.close();
  return [new URL(probe.url ?? '').port];
}
