import { ProbeError } from '../support/errors.ts';
import { checksum, isInteger, joined, quoted } from './mysql-cells.ts';
import { type MysqlSession, textOf } from './mysql-session.ts';
import { type MysqlTable, rangeColumn } from './mysql-tables.ts';
import type { SqlEngine } from './sql-probe.ts';

/** Rows are summed up in this many parts by their key; where a sum differs, the part is read from both moments. */
const PARTS = 4096;
/** More rows than this, and far more than a fair share, are too many to read for one part. */
const LARGE_PART = 5000;

type Tables = { readonly past: MysqlTable; readonly present: MysqlTable | undefined };
type Sessions = { readonly past: MysqlSession; readonly present: MysqlSession };

/** How a table is divided, and a sum for each part. */
type Sums = { readonly division: Division; readonly parts: ReadonlyMap<string, string> };

type Division = {
  /** SQL: the number of the part that a row belongs to. */
  readonly part: string;
  /** SQL: true for the rows of these parts. */
  readonly within: (parts: readonly string[]) => string;
};

/**
 * Finds the rows of large tables that differ between two moments. The server has no column that tells, so it sums up what each part of
 * the table holds: once for each earlier moment, and at each look for the present.
 */
export function mysqlComparer(): Pick<SqlEngine<MysqlTable, MysqlSession>, 'prepare' | 'touched'> {
  const known = new Map<string, Sums>();
  return {
    prepare: async (table, past) => {
      known.set(table.name, await firstSums(table, past));
    },
    touched: async (tables, sessions) => {
      const present = shapeOf(tables);
      const before = known.get(tables.past.name) ?? (await firstSums(tables.past, sessions.past));
      const after = await sumUp(sessions.present, present, before.division);
      return await readParts(
        differing(before, after),
        { past: tables.past, present, division: before.division },
        sessions,
      );
    },
  };
}

async function firstSums(table: MysqlTable, past: MysqlSession): Promise<Sums> {
  const sums = await sumUp(past, table, await divide(table, past));
  return isLopsided(sums) ? await sumUp(past, table, hashDivision(table)) : sums;
}

/** Keys may lie so that nearly all rows are in one part. */
function isLopsided({ parts }: Sums): boolean {
  const counts = [...parts.values()].map((sums) => Number.parseInt(sums, 10));
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.some((count) => count > LARGE_PART + (8 * all) / PARTS);
}

/** Other columns are other sums everywhere: then nothing of a large table can be compared. */
function shapeOf({ past, present }: Tables): MysqlTable {
  const shape = ({ columns }: MysqlTable) => columns.map(({ name, type }) => `${name} ${type}`).join();
  if (present && shape(present) === shape(past)) return present;
  throw new ProbeError(
    `the table ${past.name} was dropped or altered while it was observed, so what was removed is not known.`,
    {
      hint: 'Let the receiver bring its tables up to date before it is tested.',
    },
  );
}

type Divided = { readonly past: MysqlTable; readonly present: MysqlTable; readonly division: Division };

async function readParts(parts: readonly string[], { past, present, division }: Divided, sessions: Sessions) {
  if (parts.length === 0) return { before: [], after: [] };
  const where = division.within(parts);
  const [before, after] = await Promise.all([
    sessions.past.visit(() => sessions.past.rowsWhere(past, where)),
    sessions.present.rowsWhere(present, where),
  ]);
  return { before, after };
}

async function divide(table: MysqlTable, session: MysqlSession): Promise<Division> {
  const column = rangeColumn(table);
  const byHash = hashDivision(table);
  if (!column) return byHash;
  const name = quoted(column.name);
  const [ends] = await session.visit(() => session.query(`SELECT MIN(${name}), MAX(${name}) FROM ${table.relation}`));
  const [least, most] = [BigInt(textOf(ends?.[0]) || 0), BigInt(textOf(ends?.[1]) || 0)];
  const step = (most - least) / BigInt(PARTS) + 1n;
  return rangeDivision(name, step);
}

/** The database cuts a division towards zero, so that the part 0 reaches to both sides. */
function rangeDivision(name: string, step: bigint): Division {
  const rangeOf = (part: bigint): readonly [bigint, bigint] =>
    part === 0n
      ? [1n - step, step - 1n]
      : part > 0n
        ? [part * step, part * step + step - 1n]
        : [part * step - step + 1n, part * step];
  const within = (parts: readonly string[]) =>
    parts
      .map((part) => rangeOf(BigInt(part)))
      .map(([from, to]) => `${name} BETWEEN ${from} AND ${to}`)
      .join(' OR ');
  return { part: `${name} DIV ${step}`, within };
}

function hashDivision({ key }: MysqlTable): Division {
  const part = `CRC32(${joined(key)}) MOD ${PARTS}`;
  return { part, within: (parts) => `${part} IN (${parts.join(',')})` };
}

/**
 * Each column counts by a number of its own and each row by one of its key, so that values which change places change the sum. That
 * a change goes unseen is about as likely as one in 2^32.
 */
async function sumUp(session: MysqlSession, table: MysqlTable, division: Division): Promise<Sums> {
  const content = table.columns.map((column, index) => `${checksum(column)} * ${2 * index + 1}`).join(' + ');
  const sql = `SELECT ${division.part} AS part, COUNT(*), SUM((${content}) * (1 + (${weightOf(table)} & 8191))) FROM ${table.relation} GROUP BY part`;
  const rows = await session.visit(() => session.query(sql));
  return { division, parts: new Map(rows.map(([part, ...sums]) => [textOf(part), sums.map(textOf).join(' ')])) };
}

function weightOf({ key }: MysqlTable): string {
  const [only, ...others] = key;
  return only && others.length === 0 && isInteger(only) ? quoted(only.name) : `CRC32(${joined(key)})`;
}

function differing({ parts: before }: Sums, { parts: after }: Sums): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((part) => before.get(part) !== after.get(part));
}
