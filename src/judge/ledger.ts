import type { Effect } from '../model/effect.ts';
import type { RoundEvidence, Stretch } from './evidence.ts';
import { textOf } from './flatten.ts';
import type { PayloadFacts } from './payload-facts.ts';
import { tableOf } from './places.ts';

type Place = Pick<Effect, 'effect' | 'collection'>;

/**
 * Tells bookkeeping from business: a ledger table gets exactly one row an event, and that row holds the event's id,
 * its delivery id or its body's hash.
 */
export function ledgerTables(baselines: readonly Stretch[]): (place: Place) => boolean {
  const tables = baselines.map(({ rounds: [round], effects }) =>
    round ? ledgersOf(effects, round) : new Set<string>(),
  );
  return (place) => tables.every((ledgers) => ledgers.has(tableOf(place)));
}

/** True for a value that the event brought along: even in a ledger it is business, such as the amount in a row keyed by the event's id. */
export function isBusiness(column: string, value: string, { holdsMember, holdsWord }: PayloadFacts): boolean {
  const plain = value.replace(/^\+/, '');
  if (plain === '' || /^(?:NULL|\(.*\))$/.test(plain)) return false;
  if (holdsMember(column.replace(/^.*\//, ''), plain)) return true;
  // One of these stands in any payload.
  return !/^(?:true|false|-?\d)$/.test(plain) && holdsWord(plain);
}

function ledgersOf(effects: readonly Effect[], { events }: RoundEvidence): ReadonlySet<string> {
  const eventOfMark = new Map(events.flatMap(({ id, marks }) => marks.map((mark) => [mark, id] as const)));
  const tables = new Map<string, { rows: number; readonly events: Set<string> }>();
  for (const effect of effects) {
    if (effect.kind !== 'added') continue;
    const table = tables.get(tableOf(effect)) ?? { rows: 0, events: new Set<string>() };
    tables.set(tableOf(effect), table);
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
