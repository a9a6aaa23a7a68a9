import { postgresSession } from './postgres-session.ts';
import { touchedRows } from './postgres-touched.ts';
import type { Source, SourceAddress, UnopenedSource } from './source.ts';
import { parseSqlAddress } from './sql-address.ts';
import { openSqlProbe } from './sql-probe.ts';

const FORM = 'postgres://HOST/DATABASE#table,schema.table';

/** Rows of a PostgreSQL database, read in short read-only transactions. */
export const postgres: Source = { scheme: 'postgres', form: FORM, parse: parsePostgres };
export const postgresql: Source = {
  scheme: 'postgresql',
  form: FORM.replace('postgres', 'postgresql'),
  parse: parsePostgres,
};

function parsePostgres(given: SourceAddress): UnopenedSource {
  const address = parseSqlAddress(given, FORM);
  const { defaultName, source } = address;
  const engine = { session: () => postgresSession(address), touched: touchedRows };
  return { defaultName, open: (name) => openSqlProbe(engine, { name, source }) };
}
