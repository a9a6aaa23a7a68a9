import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { ProbeError, UserError } from '../support/errors.ts';
import type { SqliteDatabase } from '../support/sqlite.ts';
import { hideCredentials } from './hide-credentials.ts';
import type { Source, SourceAddress, SourceContext, UnopenedSource } from './source.ts';
import { sqliteReader } from './sqlite-reader.ts';
import { findTables, readTables, tablesOf } from './sqlite-rows.ts';

/** Rows of a SQLite file, read without ever keeping its writers waiting. */
export const sqlite: Source = { scheme: 'sqlite', form: 'sqlite:PATH#table,table', parse: parseSqlite };

type Target = { readonly path: string; readonly tables: readonly string[]; readonly source: string };

function parseSqlite({ text, rest }: SourceAddress): UnopenedSource {
  const [, address = '', list = ''] = /^(.*?)(?:#([^#]*))?$/s.exec(rest) ?? [];
  const path = address.startsWith('//') ? address.slice(2).replace(/\?.*$/, '') : address;
  const tables = list
    .split(',')
    .map((table) => table.trim())
    .filter(Boolean);
  if (path === '' || path === ':memory:') {
    throw new UserError('BAD_EFFECT', `"${text}" names no file (--effect).`, { hint: `Write it as ${sqlite.form}.` });
  }
  const target = { path, tables, source: hideCredentials(text) };
  const [only, ...others] = tables;
  return {
    defaultName: only !== undefined && others.length === 0 ? only : basename(path).replace(/[\s:#=]+/g, '-'),
    open: (name, context) => open(name, target, context),
  };
}

async function open(name: string, { path, tables, source }: Target, { cwd, env, clock }: SourceContext) {
  const file = resolve(cwd, path.replace(/^~(?=\/)/, env['HOME'] ?? '~'));
  await refuseWhatIsNoFile(file, path);
  const reader = sqliteReader(file, path, clock);
  try {
    await reader.read((db) => refuseMissingTables(db, tables, path));
  } catch (error) {
    reader.close();
    throw error;
  }
  return {
    name,
    source,
    read: () => reader.read((db) => readTables(db, tables.length > 0 ? findTables(db, tables) : tablesOf(db))),
    version: reader.version,
    close: async () => reader.close(),
  };
}

async function refuseWhatIsNoFile(file: string, path: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) return;
  throw new ProbeError(found ? `"${path}" is not a file (${file}).` : `There is no file "${path}" (${file}).`, {
    hint: 'Relative paths start in the folder where the command runs. Start the receiver once, so that it makes its database.',
  });
}

function refuseMissingTables(db: SqliteDatabase, tables: readonly string[], path: string): void {
  const found = findTables(db, tables);
  const missing = tables.filter((table) => !found.some(({ name }) => name.toLowerCase() === table.toLowerCase()));
  if (missing.length === 0) return;
  const present = tablesOf(db).map(({ name }) => name);
  throw new ProbeError(`"${path}" has no table "${missing.join('", "')}".`, {
    hint: present.length > 0 ? `It has: ${present.join(', ')}.` : 'It has no tables yet: start the receiver first.',
  });
}
