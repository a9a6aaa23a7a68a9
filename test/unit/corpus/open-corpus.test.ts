import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openCorpus } from '../../../src/corpus/open-corpus.ts';
import { VERSION } from '../../../src/corpus/schema.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();

describe('openCorpus', () => {
  it('makes folder, file and a .gitignore that keeps private data out of git', () => {
    const file = join(folder, 'made', '.webhook-replay', 'corpus.db');
    openCorpus(file).close();
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(join(file, '..', '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('writes no .gitignore into a folder that is not ours', () => {
    const file = join(folder, 'theirs', 'corpus.db');
    openCorpus(file).close();
    expect(existsSync(join(folder, 'theirs', '.gitignore'))).toBe(false);
  });

  it('sets large pages, a write-ahead log and full syncing', () => {
    const file = join(folder, 'settings.db');
    openCorpus(file).close();
    const db = new Database(file);
    const get = (name: string) => db.pragma(name, { simple: true });
    expect([get('page_size'), get('journal_mode'), get('user_version')]).toEqual([16_384, 'wal', VERSION]);
    db.close();
  });

  it('takes an empty file for a new corpus', () => {
    const file = join(folder, 'empty.db');
    writeFileSync(file, '');
    const corpus = openCorpus(file);
    expect(corpus.count({})).toBe(0);
    corpus.close();
  });

  it('finishes a corpus whose maker was killed before its first table', () => {
    const file = join(folder, 'begun.db');
    const begun = new Database(file);
    begun.pragma('page_size = 16384');
    begun.pragma('auto_vacuum = INCREMENTAL');
    begun.close();
    expect(statSync(file).size).toBeGreaterThan(0);
    const corpus = openCorpus(file);
    expect(corpus.count({})).toBe(0);
    corpus.close();
  });

  it('sees an empty corpus and makes nothing where there is none and none may be made', () => {
    const file = join(folder, 'absent', 'corpus.db');
    const corpus = openCorpus(file, { create: false });
    expect(corpus.list({}, { limit: 5, order: 'newest-first' })).toEqual([]);
    corpus.close();
    expect(existsSync(join(folder, 'absent'))).toBe(false);
  });

  it('can be opened twice at the same time', () => {
    const file = join(folder, 'twice.db');
    const [one, two] = [openCorpus(file), openCorpus(file)];
    one.add([{ ...EVENT, tags: ['x'] }]);
    expect(two.count({ tags: ['x'] })).toBe(1);
    one.close();
    two.close();
  });

  it('knows its own file although its log was never folded into it', () => {
    const file = join(folder, 'crashed.db');
    const crashed = openCorpus(file);
    const again = openCorpus(file);
    again.close();
    expect(statSync(file).size).toBeGreaterThan(0);
    crashed.close();
  });
});

describe('a file that is no corpus of ours', () => {
  it.each([
    ['a text file', () => Buffer.from('{"id":"evt_1"}\n'.repeat(20)), /is no SQLite file, not a corpus/],
    ['a SQLite file of another program', foreign, /is a SQLite file of another program/],
    ['a corpus of a newer version', newer, /newer webhook-replay \(corpus version 99/],
  ])('%s is refused and stays as it is', (title, make, message) => {
    const file = join(folder, `${title}.db`);
    const before = make(file);
    writeFileSync(file, before);
    expect(() => openCorpus(file)).toThrow(message);
    expect(readFileSync(file)).toEqual(before);
    expect(existsSync(`${file}-wal`) || existsSync(`${file}-journal`)).toBe(false);
  });

  it('is refused although its tables are still in its log', () => {
    const file = join(folder, 'foreign-log.db');
    const theirs = new Database(file);
    theirs.pragma('journal_mode = WAL');
    theirs.exec('CREATE TABLE orders (id INTEGER)');
    expect(() => openCorpus(file)).toThrow(/is a SQLite file of another program/);
    expect(theirs.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toEqual([{ name: 'orders' }]);
    theirs.close();
  });

  it('says so when it is a folder', () => {
    expect(() => openCorpus(folder)).toThrow(/is a folder/);
  });

  it('says so when a part of its path is a file', () => {
    const file = join(folder, 'plain');
    writeFileSync(file, 'x');
    expect(() => openCorpus(join(file, 'corpus.db'))).toThrow(/cannot be opened/);
  });
});

const EVENT = {
  method: 'POST',
  path: '/',
  query: null,
  headers: [],
  payload: new Uint8Array(),
  provider: 'generic',
  receivedAt: '2026-01-01T00:00:00.000Z',
  tags: [] as string[],
  marks: [],
  origin: 'capture' as const,
};

function foreign(file: string): Buffer {
  const db = new Database(`${file}.source`);
  db.exec('CREATE TABLE orders (id INTEGER); INSERT INTO orders VALUES (1)');
  db.close();
  return readFileSync(`${file}.source`);
}

function newer(file: string): Buffer {
  openCorpus(`${file}.source`).close();
  const db = new Database(`${file}.source`);
  db.pragma('user_version = 99');
  db.close();
  return readFileSync(`${file}.source`);
}
