import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { messageOf, UserError } from './errors.ts';

export type SqliteDatabase = Database.Database;

/** What decides whether the native module can run in this Node at all. */
export type DriverFacts = {
  /** The installed better-sqlite3; `undefined` when there is none. */
  readonly version: string | undefined;
  readonly node: string;
  /** `process.versions.napi`. */
  readonly napi: number;
};

const NAPI_OF_13 = 10;
const REINSTALL = 'In the folder where webhook-replay is installed, run: npm install better-sqlite3@^12.11.1';

let loaded: typeof Database | undefined;

/**
 * Loads better-sqlite3, after a look at versions: 13.x is built for Node-API 10 and ends an older Node with a
 * segmentation fault instead of an error (WiseLibs/better-sqlite3#1514).
 */
export function loadSqlite(): typeof Database {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  const problem = driverProblem({
    version: installedVersion(require),
    node: process.versions.node,
    napi: Number(process.versions['napi']),
  });
  if (problem) throw problem;
  try {
    const driver = require('better-sqlite3') as typeof Database;
    // The binding itself is loaded with the first database.
    new driver(':memory:').close();
    loaded = driver;
    return driver;
  } catch (error) {
    throw bindingProblem(error);
  }
}

/** Why better-sqlite3 must not even be loaded, or `undefined` when it may. */
export function driverProblem({ version, node, napi }: DriverFacts): UserError | undefined {
  if (version === undefined) {
    return new UserError('NO_SQLITE', 'The package better-sqlite3, which keeps the corpus, is not installed.', {
      hint: 'Install webhook-replay again without --no-optional or --omit, and look at what the installer says.',
    });
  }
  const major = Number.parseInt(version, 10);
  if (major < 13 || napi >= NAPI_OF_13) return undefined;
  return new UserError(
    'SQLITE_MISMATCH',
    `better-sqlite3 ${version} needs Node 22.14 or newer; this is Node ${node}.`,
    {
      hint: `Use a newer Node, or the version for this one. ${REINSTALL} (pnpm and yarn pick the wrong one on Node 20).`,
    },
  );
}

/** A binding that is missing or was built for another Node, as a mistake that can be fixed. */
export function bindingProblem(error: unknown): UserError {
  const message = messageOf(error);
  if (/bindings file|Cannot find module|prebuild/i.test(message)) {
    return new UserError('NO_SQLITE_BINDING', 'better-sqlite3 is installed, but its compiled part is missing.', {
      hint: 'Its install script was not run (npm 12 and pnpm 10 block them): allow it and run: npm rebuild better-sqlite3',
      cause: error,
    });
  }
  if (/NODE_MODULE_VERSION|different Node/i.test(message)) {
    return new UserError(
      'SQLITE_MISMATCH',
      `better-sqlite3 was compiled for another Node than this one (${process.versions.node}).`,
      { hint: 'Run: npm rebuild better-sqlite3', cause: error },
    );
  }
  return new UserError('NO_SQLITE_BINDING', `better-sqlite3 could not be loaded: ${message}`, {
    hint: `Run: npm rebuild better-sqlite3. If that does not help: ${REINSTALL}`,
    cause: error,
  });
}

function installedVersion(require: NodeJS.Require): string | undefined {
  try {
    return (require('better-sqlite3/package.json') as { version: string }).version;
  } catch {
    return undefined;
  }
}
