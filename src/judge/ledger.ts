import type { EventEvidence } from './evidence.ts';
import type { NormalEffect } from './normal-form.ts';
import type { PayloadFacts } from './payload-facts.ts';

/** One baseline: its effects and its events. */
export type LedgerMaterial = { readonly rows: readonly NormalEffect[]; readonly events: readonly EventEvidence[] };

/**
 * Tells bookkeeping from business: a ledger table gets exactly one row an event, and that row holds the event's id,
 * its delivery id or its body's hash.
 */
export function ledgerTables(baselines: readonly LedgerMaterial[]): (row: NormalEffect) => boolean {
  const ledgers = baselines.map(ledgersOf);
  return ({ table }) => ledgers.every((tables) => tables.has(table));
}

/** True for a value that the event brought along: even in a ledger it is business, such as the amount in a row keyed by the event's id. */
export function isBusiness(column: string, value: string, { holdsMember, holdsWord }: PayloadFacts): boolean {
  const plain = value.replace(/^\+/, '');
  if (plain === '' || /^(?:NULL|\(.*\))$/.test(plain)) return false;
  if (holdsMember(column.replace(/^.*\//, ''), plain)) return true;
  // One of these stands in any payload.
  return !/^(?:true|false|-?\d)$/.test(plain) && holdsWord(plain);
}

function ledgersOf({ rows, events }: LedgerMaterial): ReadonlySet<string> {
  const tables = new Map<string, { rows: number; readonly events: Set<string> }>();
  for (const { kind, table, cells } of rows) {
    if (kind !== 'added') continue;
    const count = tables.get(table) ?? { rows: 0, events: new Set<string>() };
    tables.set(table, count);
    count.rows++;
    for (const { event } of cells) if (event !== undefined) count.events.add(event);
  }
  const isLedger = (count: { rows: number; events: Set<string> }) =>
    count.rows === events.length && count.events.size === events.length;
  return new Set([...tables].filter(([, count]) => isLedger(count)).map(([table]) => table));
}
