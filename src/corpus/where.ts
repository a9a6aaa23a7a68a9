import type { EventFilter } from '../model/corpus.ts';

/** A condition for a WHERE clause over `event`, with its parameters. */
export type Where = { readonly sql: string; readonly values: ReadonlyArray<string | number> };

/**
 * All conditions of the filter together; `1` when there is none.
 * @param type exactly this one, instead of those of the filter
 */
export function whereOf(filter: EventFilter, type?: string): Where {
  const parts = [
    type === undefined ? anyOf('type', filter.types) : one('type = ?', type),
    anyOf('provider', filter.providers),
    tagged(filter.tags),
    one('resource = ?', filter.resource),
    one('received_at >= ?', filter.since === undefined ? undefined : Date.parse(filter.since)),
    one('received_at < ?', filter.until === undefined ? undefined : Date.parse(filter.until)),
  ].filter((part) => part !== undefined);
  return {
    sql: parts.map(({ sql }) => `(${sql})`).join(' AND ') || '1',
    values: parts.flatMap(({ values }) => values),
  };
}

function one(sql: string, value: string | number | undefined): Where | undefined {
  return value === undefined ? undefined : { sql, values: [value] };
}

function anyOf(column: string, globs: readonly string[] | undefined): Where | undefined {
  if (!globs) return undefined;
  const parts = globs.map((glob) => (glob.includes('*') ? `${column} GLOB ?` : `${column} = ?`));
  return { sql: parts.join(' OR ') || '0', values: globs.map(toSqliteGlob) };
}

function tagged(tags: readonly string[] | undefined): Where | undefined {
  const match = anyOf('tag', tags);
  return match && { ...match, sql: `seq IN (SELECT event FROM event_tag WHERE ${match.sql})` };
}

/** Only `*` is special to us; SQLite also gives a meaning to `?` and `[`. */
function toSqliteGlob(glob: string): string {
  return glob.includes('*') ? glob.replace(/[?[]/g, '[$&]') : glob;
}
