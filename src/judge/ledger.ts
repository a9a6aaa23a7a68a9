import type { Effect } from '../model/effect.ts';
import type { RoundEvidence, Stretch } from './evidence.ts';
import { type NormalEffect, textOf } from './normal-form.ts';

/**
 * Tells bookkeeping from business: a ledger table gets exactly one row an event, and that row holds the event's id,
 * its delivery id or its body's hash.
 */
export function ledgerTables(baselines: readonly Stretch[]): (row: NormalEffect) => boolean {
  const tables = baselines.map(({ rounds: [round], effects }) =>
    round ? ledgersOf(effects, round) : new Set<string>(),
  );
  return ({ effect, collection }) => tables.every((ledgers) => ledgers.has(`${effect}|${collection}`));
}

function ledgersOf(effects: readonly Effect[], { events }: RoundEvidence): ReadonlySet<string> {
  const eventOfMark = new Map(events.flatMap(({ id, marks }) => marks.map((mark) => [mark, id] as const)));
  const tables = new Map<string, { rows: number; readonly events: Set<string> }>();
  for (const effect of effects) {
    if (effect.kind !== 'added') continue;
    const name = `${effect.effect}|${effect.collection}`;
    const table = tables.get(name) ?? { rows: 0, events: new Set<string>() };
    tables.set(name, table);
    table.rows++;
    for (const cell of Object.values(effect.after ?? {})) {
      const event = eventOfMark.get(textOf(cell).replace(/^x'|'$/g, ''));
      if (event !== undefined) table.events.add(event);
    }
  }
  const isLedger = (table: { rows: number; events: Set<string> }) =>
    table.rows === events.length && table.events.size === events.length;
  return new Set([...tables].filter(([, table]) => isLedger(table)).map(([name]) => name));
}
