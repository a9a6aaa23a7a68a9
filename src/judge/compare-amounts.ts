import type { Comparison, Difference } from './difference.ts';
import type { Noise } from './noise.ts';
import type { NormalEffect } from './normal-form.ts';

type Change = {
  readonly row: NormalEffect;
  readonly column: string;
  sum: number | undefined;
  readonly values: Set<string>;
};

/** Changed cells: numbers by the sum of their changes over all rounds, everything else by the value it ended with. */
export function compareAmounts({ expected, actual, rounds, noise }: Comparison): readonly Difference[] {
  const [want, got] = [changesOf(expected, noise), changesOf(actual, noise)];
  return [...new Set([...want.keys(), ...got.keys()])].flatMap((key) => {
    const [due, change] = [want.get(key), got.get(key)];
    const { row, column } = (change ?? due) as Change;
    if ((due ?? change)?.sum !== undefined)
      return amount({ row, column }, (due?.sum ?? 0) * rounds.length, change?.sum ?? 0);
    const allowed = [...(due?.values ?? [])];
    const other = [...(change?.values ?? [])].filter((value) => !allowed.includes(value));
    return other
      .slice(0, 1)
      .map((value) => ({ kind: 'other-value' as const, row, column, expected: allowed, actual: value }));
  });

  function amount(
    at: { readonly row: NormalEffect; readonly column: string },
    due: number,
    sum: number,
  ): readonly Difference[] {
    if (Math.abs(due - sum) < 1e-6) return [];
    const perRound = due / rounds.length;
    const doubled = perRound === 0 ? 1 : Math.max(1, Math.round(Math.abs((sum - due) / perRound)));
    return [{ kind: 'amount', ...at, expected: due, actual: sum, doubled: Math.min(doubled, rounds.length) }];
  }
}

function changesOf(effects: readonly NormalEffect[], noise: Noise): ReadonlyMap<string, Change> {
  const changes = new Map<string, Change>();
  for (const row of effects) {
    if (row.kind !== 'changed') continue;
    for (const [column, cell] of row.cells) {
      if (noise.isNoise(row, column)) continue;
      add(changes, keyOf(row, column, noise), { row, column, sum: cell.number, values: new Set([cell.text]) });
    }
  }
  return changes;
}

/** Rows with foreseeable keys are told apart; generated keys are not, so their changes are summed. */
function keyOf(row: NormalEffect, column: string, noise: Noise): string {
  return [row.effect, row.collection, noise.hasGeneratedKey(row) ? '*' : row.key, column].join('|');
}

function add(changes: Map<string, Change>, key: string, change: Change): void {
  const before = changes.get(key);
  if (!before) {
    changes.set(key, change);
    return;
  }
  for (const value of change.values) before.values.add(value);
  before.sum = before.sum === undefined || change.sum === undefined ? undefined : before.sum + change.sum;
}
