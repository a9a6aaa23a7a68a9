import type { Cell } from '../model/effect.ts';
import { exactInteger } from './sql-cells.ts';

export type MysqlColumn = {
  readonly name: string;
  /** As information_schema calls it: `bigint`, `varchar`. */
  readonly type: string;
  readonly isNullable: boolean;
};

const INTEGER = /^(tiny|small|medium|big)?int$|^year$/;
const BYTES = /binary$|blob$|^bit$|^(geometry|point|linestring|polygon|multi\w+|geom\w+|vector)$/;
const LONG = /blob$|text$|^json$|^(geometry|point|linestring|polygon|multi\w+|geom\w+|vector)$/;
const TEXT = /char$|text$|^enum$|^set$|^json$/;

/** A value as the server's own text or bytes, by its column's type. Exact types that are no integers stay text. */
export function mysqlCell(value: Uint8Array | null, type: string): Cell {
  if (value === null) return null;
  const bytes = Buffer.from(value);
  if (BYTES.test(type)) return { bytes: bytes.toString('hex') };
  const text = bytes.toString('utf8');
  if (INTEGER.test(type)) return exactInteger(text);
  return type === 'double' || type === 'float' ? Number(text) : text;
}

export function isInteger({ type }: MysqlColumn): boolean {
  return INTEGER.test(type);
}

/** The column in a select list. A FLOAT is written with six digits unless it is made a double. */
export function selected({ name, type }: MysqlColumn): string {
  return type === 'float' ? `${quoted(name)} + 0e0` : quoted(name);
}

/** A number that is another one when the value is another one, but for one chance in 2^32. */
export function checksum(column: MysqlColumn): string {
  const { name, type, isNullable } = column;
  const value = LONG.test(type) ? `MD5(${quoted(name)})` : type === 'bit' ? `${quoted(name)} + 0` : selected(column);
  return `CRC32(${isNullable ? `IFNULL(${value}, x'1e')` : value})`;
}

/** The columns of a key as one text. */
export function joined(columns: readonly MysqlColumn[]): string {
  const values = columns.map(({ name, type }) => (TEXT.test(type) ? `CAST(${quoted(name)} AS BINARY)` : quoted(name)));
  return `CONCAT_WS(x'1f', ${values.join(', ')})`;
}

export function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
