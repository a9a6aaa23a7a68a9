import { describe, it, type TestContext } from 'vitest';
import { freePort } from '../../src/receiver/free-port.ts';
import { runCli } from '../support/cli.ts';
import { databaseShop, engineOf, type TestDatabase } from '../support/databases.ts';
import { brokenChecks, replay, summaryOf } from '../support/replay.ts';
import { startProcess } from '../support/start-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const EVENT = 'fixture:generic-hmac/order.paid';
const PATIENCE_MS = 120_000;
const folder = tempFolder();

for (const id of ['postgres', 'mysql'] as const) {
  const engine = await engineOf(id);

  describe.skipIf(engine.server === undefined)(`a shop on ${id}`, { concurrent: true }, () => {
    const play = async (
      { onTestFinished }: TestContext,
      flags: readonly string[],
      watched: (db: TestDatabase) => string,
    ) => {
      const db = await engine.create(onTestFinished);
      const { url } = await startProcess(databaseShop(db.url, ...flags), { cwd: folder, atEnd: onTestFinished });
      return await replay(folder, [EVENT, '--to', url, '--effect', `shop=${watched(db)}`]);
    };

    it('passes when id and effect are one transaction', { timeout: PATIENCE_MS }, async (context) => {
      const replayed = await play(context, [], ({ url }) => url);
      context.expect(replayed.code, summaryOf(replayed)).toBe(0);
      context
        .expect(replayed.report.effects)
        .toMatchObject([{ id: 'shop', baseline: { added: 2, changed: 1, removed: 0 } }]);
    });

    it('fails when each delivery adds a row', { timeout: PATIENCE_MS }, async (context) => {
      const replayed = await play(context, ['--fault', 'no-guard'], ({ url }) => `${url}#orders`);
      context.expect(replayed.code, summaryOf(replayed)).toBe(1);
      context.expect(brokenChecks(replayed)).toEqual(['no-second-effect']);
    });

    it('fails when only a total counts twice', { timeout: PATIENCE_MS }, async (context) => {
      const replayed = await play(context, ['--fault', 'total-only'], ({ url }) => url);
      context.expect(replayed.code, summaryOf(replayed)).toBe(1);
      context.expect(brokenChecks(replayed)).toEqual(['no-second-effect']);
      context.expect(replayed.report.trials[0]?.findings.map(({ effect }) => effect)).toEqual(['shop.totals']);
    });

    it('is inconclusive when the connection dies on the way', { timeout: PATIENCE_MS }, async (context) => {
      const replayed = await play(context, ['--dies-after', '2'], ({ url }) => url);
      context.expect(replayed.code, summaryOf(replayed)).toBe(3);
      context.expect(replayed.report.trials[0]?.reason).toContain('The effect "shop" cannot be observed');
    });

    it('is not delivered to when the database is down', { timeout: PATIENCE_MS }, async (context) => {
      const source = `shop=${id}://ann:hunter2@127.0.0.1:${await freePort()}/shop`;
      const { code, stderr } = await runCli(['replay', EVENT, '--to', '1', '--effect', source], { cwd: folder });
      context.expect(code).toBe(3);
      context.expect(stderr).toContain(`${id}://***@127.0.0.1`);
      context.expect(stderr).toContain('does not answer: the connection was refused');
      context.expect(stderr).not.toContain('hunter2');
    });
  });
}
