const LOOK_BYTES = 2000;

/**
 * What a message asks for, where it can be read: a statement's verb and table, a command, a method. Never a value: those are
 * secrets and personal data.
 */
export function whatIsSaid(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LOOK_BYTES)).toString('latin1');
  return http(text) ?? redis(text) ?? sql(text);
}

function http(text: string): string | undefined {
  return /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S+ HTTP\/1\.[01]\r\n/.exec(text)?.[1];
}

function redis(text: string): string | undefined {
  return /^\*\d+\r\n\$\d+\r\n([A-Za-z]{2,20})\r\n/.exec(text)?.[1]?.toUpperCase();
}

const TABLE = String.raw`(?:"?\w+"?\.)?["\x60]?(\w+)["\x60]?`;
const STATEMENTS: ReadonlyArray<readonly [RegExp, (table: string) => string]> = [
  [new RegExp(String.raw`\bINSERT\s+INTO\s+${TABLE}`, 'i'), (table) => `INSERT INTO ${table}`],
  [new RegExp(String.raw`\bUPDATE\s+${TABLE}\s+SET\b`, 'i'), (table) => `UPDATE ${table}`],
  [new RegExp(String.raw`\bDELETE\s+FROM\s+${TABLE}`, 'i'), (table) => `DELETE FROM ${table}`],
  [new RegExp(String.raw`\bSELECT\b[^;]*?\bFROM\s+${TABLE}`, 'i'), (table) => `SELECT FROM ${table}`],
];

/** The statement that stands first. */
function sql(text: string): string | undefined {
  const found = STATEMENTS.flatMap(([pattern, name]) => {
    const match = pattern.exec(text);
    return match ? [{ at: match.index, what: name(match[1] ?? '') }] : [];
  });
  const word = /\b(BEGIN|START TRANSACTION|COMMIT|ROLLBACK|SAVEPOINT)\b/i.exec(text);
  if (word?.[1]) found.push({ at: word.index, what: word[1].toUpperCase() });
  return found.sort((a, b) => a.at - b.at)[0]?.what;
}
