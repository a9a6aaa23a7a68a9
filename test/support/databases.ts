import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { serviceUrl } from './services.ts';
import type { Foreign } from './start-process.ts';

/** A database of one test's own, on a real server. */
export type TestDatabase = {
  /** With the credentials of an administrator. */
  readonly url: string;
  /** As an administrator, over one connection. */
  readonly run: (...statements: readonly string[]) => Promise<void>;
  /** Another connection of the administrator. */
  readonly connect: () => Promise<Session>;
  /** The same database as another user. */
  readonly urlFor: (user: string, password: string) => string;
};

export type Engine = {
  readonly id: 'postgres' | 'mysql';
  readonly server: string | undefined;
  readonly create: (atEnd: (end: () => Promise<void>) => void) => Promise<TestDatabase>;
};

const SCRIPT = fileURLToPath(new URL('../fixtures/receivers/database-shop.js', import.meta.url));

export function databaseShop(url: string, ...flags: readonly string[]): Foreign {
  return { name: 'shop on a database', command: [process.execPath, join(SCRIPT), '--db', url, ...flags] };
}

/** The engine where its server answers; without `server` its tests are to be skipped. */
export async function engineOf(id: Engine['id']): Promise<Engine> {
  const server = await serviceUrl(id);
  if (server === undefined) return { id, server, create: () => Promise.reject(new Error(`${id} does not answer`)) };
  const open = id === 'postgres' ? openPostgres : openMysql;
  const administer = async (statement: string) => {
    const admin = await open(server);
    await admin.run(statement).finally(admin.end);
  };
  const create: Engine['create'] = async (atEnd) => {
    const name = `wr_test_${randomUUID().slice(0, 8)}`;
    await administer(`CREATE DATABASE ${name}`);
    const url = withPath(server, name);
    const own = await open(url);
    atEnd(async () => {
      await own.end();
      await administer(`DROP DATABASE ${name}${id === 'postgres' ? ' WITH (FORCE)' : ''}`);
    });
    const run = async (...statements: readonly string[]) => {
      for (const statement of statements) await own.run(statement);
    };
    const connect = async () => {
      const session = await open(url);
      atEnd(session.end);
      return session;
    };
    return { url, run, connect, urlFor: (user, password) => withUser(url, user, password) };
  };
  return { id, server, create };
}

export type Session = { readonly run: (sql: string) => Promise<unknown>; readonly end: () => Promise<void> };

async function openPostgres(url: string): Promise<Session> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return { run: (sql) => client.query(sql), end: () => client.end() };
}

async function openMysql(url: string): Promise<Session> {
  const client = await createConnection({ uri: url });
  client.on('error', () => {});
  return { run: (sql) => client.query(sql), end: () => client.end() };
}

function withPath(url: string, name: string): string {
  const to = new URL(url);
  to.pathname = `/${name}`;
  return to.href;
}

function withUser(url: string, user: string, password: string): string {
  const to = new URL(url);
  to.username = user;
  to.password = password;
  return to.href;
}
