import { UserError } from '../support/errors.ts';
import { hideCredentials } from './hide-credentials.ts';
import type { SourceAddress } from './source.ts';

/** A table as the user named it. */
export type TableName = { readonly schema: string | undefined; readonly table: string };

export type SqlAddress = {
  /** For the driver, credentials and all. */
  readonly url: string;
  /** The path of the URL. */
  readonly database: string;
  /** None: every table of the user. */
  readonly tables: readonly TableName[];
  /** For messages: without credentials. */
  readonly source: string;
  readonly defaultName: string;
};

/** Reads `postgres://user:password@host/database#table,schema.table`. A name with a dot or a comma in it stands in double quotes. */
export function parseSqlAddress({ text }: SourceAddress, form: string): SqlAddress {
  const [, url = '', list = ''] = /^([^#]*)(?:#(.*))?$/s.exec(text) ?? [];
  const source = hideCredentials(text);
  const database = databaseOf(url);
  if (database === undefined) {
    throw new UserError('BAD_EFFECT', `"${source}" names no database (--effect).`, {
      hint: `Write it as ${form}; in a password, %23 stands for # and %40 for @.`,
    });
  }
  const tables = list.split(SEPARATORS.comma).flatMap((name) => tableName(name.trim(), source));
  const [only, ...others] = tables;
  const name = only !== undefined && others.length === 0 ? only.table : database;
  return { url, database, tables, source, defaultName: name.replace(/[\s:#=/]+/g, '-') };
}

/** Outside of double quotes. */
const SEPARATORS = { comma: /,(?=(?:[^"]*"[^"]*")*[^"]*$)/, dot: /\.(?=(?:[^"]*"[^"]*")*[^"]*$)/ };

function databaseOf(url: string): string | undefined {
  if (!/^[a-z]+:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  try {
    return decodeURIComponent(new URL(url).pathname.slice(1)) || undefined;
  } catch {
    return undefined;
  }
}

function tableName(text: string, source: string): readonly TableName[] {
  if (text === '') return [];
  const [table, schema, ...rest] = text.split(SEPARATORS.dot).map(unquoted).reverse();
  if (!table || schema === '' || rest.length > 0) {
    throw new UserError('BAD_EFFECT', `"${text}" is no name of a table in "${source}" (--effect).`, {
      hint: 'Write table or schema.table, and "odd.name" in double quotes.',
    });
  }
  return [{ schema, table }];
}

function unquoted(part: string): string {
  return /^"(.*)"$/s.exec(part)?.[1]?.replaceAll('""', '"') ?? part;
}
