import type { Cell } from '../model/effect.ts';
import { exactInteger } from './sql-cells.ts';

/** What the server calls its types (pg_type.dat). All others stay as the server's own text: exact, and without a date of JavaScript on the way. */
const OID = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, oid: 26, float4: 700, float8: 701 };

/** A value that came as text, by its type. */
export function postgresCell(text: string | null, type: number): Cell {
  if (text === null) return null;
  switch (type) {
    case OID.bool:
      return text === 't';
    case OID.bytea:
      return { bytes: text.slice('\\x'.length) };
    case OID.int2:
    case OID.int4:
    case OID.int8:
    case OID.oid:
      return exactInteger(text);
    case OID.float4:
    case OID.float8:
      return /\d/.test(text) ? Number(text) : text;
    default:
      return text;
  }
}
