import type { NormalEffect } from './normal-form.ts';

/** Which cells say nothing because they differ each time anyway: generated keys, times, sequences, random tokens. */
export type Noise = {
  readonly isNoise: (effect: NormalEffect, column: string) => boolean;
  /** True when rows of this collection have keys that nobody can foresee. */
  readonly hasGeneratedKey: (effect: NormalEffect) => boolean;
};

/** The counts of changes by source, table and kind; two baselines with another structure cannot be compared. */
export function structureOf(effects: readonly NormalEffect[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const effect of effects) counts.set(groupOf(effect), (counts.get(groupOf(effect)) ?? 0) + 1);
  return counts;
}

export function haveSameStructure(a: readonly NormalEffect[], b: readonly NormalEffect[]): boolean {
  const [left, right] = [structureOf(a), structureOf(b)];
  return left.size === right.size && [...left].every(([group, count]) => right.get(group) === count);
}

/** Learns from two runs of the same events what differs between them. */
export function learnNoise(a: readonly NormalEffect[], b: readonly NormalEffect[]): Noise {
  const noisy = new Set<string>();
  const generated = new Set<string>();
  const [left, right] = [columnsOf(a), columnsOf(b)];
  for (const [column, values] of left) {
    if (values.join('\n') !== right.get(column)?.join('\n')) noisy.add(column);
  }
  for (const column of right.keys()) if (!left.has(column)) noisy.add(column);
  for (const effect of [...a, ...b]) {
    for (const [column, cell] of effect.cells) if (cell.isTime) noisy.add(anyKind(effect, column));
  }
  const [leftKeys, rightKeys] = [keysOf(a), keysOf(b)];
  for (const [table, keys] of leftKeys) if (keys.join('\n') !== rightKeys.get(table)?.join('\n')) generated.add(table);
  return {
    isNoise: (effect, column) =>
      effect.cells.get(column)?.isTime === true ||
      noisy.has(`${groupOf(effect)}|${column}`) ||
      noisy.has(anyKind(effect, column)) ||
      isRandomText(effect, column, noisy),
    hasGeneratedKey: (effect) => generated.has(`${effect.effect}|${effect.collection}`),
  };
}

/** A changed cell whose column holds another text each time a row is added (a token) is noise; a number may still be a total that grew. */
function isRandomText(effect: NormalEffect, column: string, noisy: ReadonlySet<string>): boolean {
  if (effect.kind !== 'changed' || effect.cells.get(column)?.number !== undefined) return false;
  return noisy.has(`${groupOf({ ...effect, kind: 'added' })}|${column}`);
}

/** Each column's values in a fixed order, by source, table, kind and column. */
function columnsOf(effects: readonly NormalEffect[]): ReadonlyMap<string, readonly string[]> {
  const columns = new Map<string, string[]>();
  for (const effect of effects) {
    for (const [column, cell] of effect.cells) {
      push(
        columns,
        `${groupOf(effect)}|${column}`,
        String(effect.kind === 'changed' ? (cell.number ?? cell.text) : cell.text),
      );
    }
  }
  for (const values of columns.values()) values.sort();
  return columns;
}

function keysOf(effects: readonly NormalEffect[]): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, string[]>();
  for (const effect of effects) push(keys, `${effect.effect}|${effect.collection}`, effect.key);
  for (const values of keys.values()) values.sort();
  return keys;
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function anyKind(effect: NormalEffect, column: string): string {
  return `${effect.effect}|${effect.collection}|*|${column}`;
}

export function groupOf({ effect, collection, kind }: Pick<NormalEffect, 'effect' | 'collection' | 'kind'>): string {
  return `${effect}|${collection}|${kind}`;
}
