import { mysqlSession } from './mysql-session.ts';
import { mysqlComparer } from './mysql-touched.ts';
import type { Source, SourceAddress, UnopenedSource } from './source.ts';
import { parseSqlAddress } from './sql-address.ts';
import { openSqlProbe } from './sql-probe.ts';

/** Rows of a MySQL or MariaDB database, read in short read-only transactions. */
export const mysql: Source = { scheme: 'mysql', form: 'mysql://HOST/DATABASE#table,table', parse: parseMysql };

function parseMysql(given: SourceAddress): UnopenedSource {
  const address = parseSqlAddress(given, mysql.form);
  const { defaultName, source } = address;
  const open: UnopenedSource['open'] = (name) =>
    openSqlProbe({ session: () => mysqlSession(address), ...mysqlComparer() }, { name, source });
  return { defaultName, open };
}
