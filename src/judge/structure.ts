import type { NormalEffect } from './normal-form.ts';
import { effectName } from './places.ts';

/** True when two runs of the same events changed the same places as often. Only then does their difference tell what is noise. */
export function haveSameStructure(a: readonly NormalEffect[], b: readonly NormalEffect[]): boolean {
  return structuralDifferences(a, b).length === 0;
}

/** Where they did not, for people: `orders: 1 added, then 2`. */
export function structuralDifferences(a: readonly NormalEffect[], b: readonly NormalEffect[]): readonly string[] {
  const [left, right] = [countByGroup(a), countByGroup(b)];
  const groups = new Map([...left, ...right]);
  return [...groups].flatMap(([group, { row }]) => {
    const [before, after] = [left.get(group)?.count ?? 0, right.get(group)?.count ?? 0];
    return before === after ? [] : [`${effectName(row)}: ${before} ${row.kind}, then ${after}`];
  });
}

/**
 * True when what all rounds share (totals, states) moved alike, too. A first time may be a beginning (a total that was NULL),
 * so two runs that differ there are not yet noise.
 */
export function haveSameGrowth(a: readonly NormalEffect[], b: readonly NormalEffect[]): boolean {
  return growthsOf(a) === growthsOf(b);
}

type Count = { readonly row: NormalEffect; count: number };

function countByGroup(rows: readonly NormalEffect[]): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>();
  for (const row of rows) {
    const group = row.group;
    const known = counts.get(group);
    if (known) known.count++;
    else counts.set(group, { row, count: 1 });
  }
  return counts;
}

function growthsOf(rows: readonly NormalEffect[]): string {
  const shared = rows.filter(({ isShared }) => isShared);
  const lines = shared.flatMap((row) =>
    row.cells.map(({ growth, text }, at) => `${row.group}|${row.shape.columns[at]}|${growth ? `+${growth.by}` : text}`),
  );
  return lines.sort().join('\n');
}
