import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createObserver } from '../../../src/observe/observer.ts';
import { openProbes } from '../../../src/observe/sources.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { startSqliteWriter } from '../../support/sqlite-writer.ts';

describe('createObserver over real sources', () => {
  it('sees the row that comes at once and the call that comes two seconds later', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'observe-'));
    const receiver = await startSqliteWriter(join(cwd, 'app.db'));
    await receiver.run(`db.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, total INT)')`);
    const probes = await openProbes(['sqlite:app.db#orders', 'mails=spy:0,status=202'], {
      cwd,
      env: {},
      clock: systemClock,
    });
    const observer = createObserver(probes, systemClock, { originMs: systemClock.now() });
    await observer.begin();
    const acting = (async () => {
      await receiver.run(`await sleep(5); db.exec('INSERT INTO orders VALUES (7, 1999)')`);
      await systemClock.sleep(2000);
      request(`${probes[1]?.url}/mails`, { method: 'POST', agent: false }, (answer) => answer.resume()).end(
        'to=ann@shop.test',
      );
    })();
    const seen = await observer.settle({ quietMs: 500, maxMs: 30_000, firstMs: 5000 });
    await acting;
    await observer.close();
    await receiver.close();
    rmSync(cwd, { recursive: true, force: true });
    expect(seen).toMatchObject({
      quiet: true,
      effects: [
        { effect: 'orders', collection: 'orders', kind: 'added', after: { id: 7, total: 1999 } },
        {
          effect: 'mails',
          collection: 'calls',
          kind: 'added',
          after: { path: '/mails', body: 'to=ann@shop.test', status: 202 },
        },
      ],
    });
    expect(seen.firstChangeMs['orders']).toBeLessThan(1000);
    expect(seen.firstChangeMs['mails']).toBeGreaterThanOrEqual(2000);
  });
});
