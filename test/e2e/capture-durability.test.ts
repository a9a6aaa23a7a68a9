import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openCorpus } from '../../src/corpus/open-corpus.ts';
import { openFile } from '../../src/corpus/open-file.ts';
import { type CaptureProcess, startCaptureCli } from '../support/capture-cli.ts';
import { openRaw, type RawConnection, rawPost } from '../support/raw-http.ts';
import { tempFolder } from '../support/temp-folder.ts';

const KILLS = 20;
const ACKNOWLEDGED = 500;
const CONNECTIONS = 24;

const connectionFolder = tempFolder();

describe('what capture acknowledged survives kill -9', { timeout: 180_000 }, () => {
  it(`loses none of at least ${ACKNOWLEDGED} deliveries in ${KILLS} kills under load`, async () => {
    const folder = tempFolder();
    const acknowledged = new Set<string>();
    for (let kill = 0; kill < KILLS; kill++) {
      const running = await startCaptureCli(['--quiet'], { cwd: folder });
      const half = await openHalfRequest(running, kill);
      const before = acknowledged.size;
      await killUnderLoad(running, { prefix: `k${kill}`, acknowledged });
      half.destroy();
      expect(acknowledged.size - before).toBeGreaterThanOrEqual(ACKNOWLEDGED);
      expect(await running.exit).toBeNull();
      expect(running.child.signalCode).toBe('SIGKILL');
      // The corpus is read as the next capture finds it: with the log of the one that died.
      const stored = pathsIn(join(folder, '.webhook-replay', 'corpus.db'));
      const missing = [...acknowledged].filter((path) => !stored.has(path));
      expect(missing).toEqual([]);
      expect(stored.has(`/half-${kill}`)).toBe(false);
    }
  });
});

describe('the connection of capture', () => {
  it.each(['new', 'opened again'])('waits for the disk at each commit of a corpus that is %s', () => {
    const db = openFile(join(connectionFolder, 'corpus.db'));
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    db.close();
  });
});

/** A request whose body never comes to its end. */
async function openHalfRequest({ port }: CaptureProcess, kill: number): Promise<RawConnection> {
  const connection = await openRaw(port);
  connection.write(`POST /half-${kill} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"half":`);
  return connection;
}

type Load = { readonly prefix: string; readonly acknowledged: Set<string> };

/** Every connection sends its next delivery at once; the kill comes in the middle, at another moment each time. */
async function killUnderLoad(running: CaptureProcess, { prefix, acknowledged }: Load): Promise<void> {
  let here = 0;
  const work = async (name: string) => {
    const connection = await openRaw(running.port);
    for (let count = 0; ; count++) {
      const path = `/${prefix}-${name}-${count}`;
      connection.write(
        rawPost(path, ['Content-Type: application/json'], `{"id":"${path}","pad":"${'x'.repeat(500)}"}`),
      );
      try {
        if ((await connection.answer()).status !== 200) throw new Error('not acknowledged');
      } catch {
        return connection.destroy();
      }
      acknowledged.add(path);
      here += 1;
      if (here === ACKNOWLEDGED) running.child.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => work(`c${index}`)));
}

function pathsIn(file: string): ReadonlySet<string> {
  openCorpus(file).close();
  const db = new Database(file);
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    return new Set(db.prepare('SELECT path FROM event').pluck().all() as string[]);
  } finally {
    db.close();
  }
}
