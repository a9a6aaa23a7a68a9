import type { Cell, Effect } from '../model/effect.ts';
import type { RoundEvidence, Stretch } from './evidence.ts';
import { isTimeOfRun } from './time-of-run.ts';

/** A cell made comparable between rounds: fresh ids are mapped back, a changed number is its change. */
export type NormalCell = {
  readonly text: string;
  /** The value, or for a changed cell by how much it changed; absent where it is no number. */
  readonly number?: number | undefined;
  /** It tells when the run took place, so it differs each time and says nothing. */
  readonly isTime: boolean;
};

export type NormalEffect = {
  readonly effect: string;
  readonly collection: string;
  readonly kind: Effect['kind'];
  readonly key: string;
  /** All cells of an added or removed row, the changed ones of a changed row. JSON text is taken apart: `body/order/id`. */
  readonly cells: ReadonlyMap<string, NormalCell>;
  /** The rounds whose fresh ids stand in the row; none when it holds no id. */
  readonly rounds: readonly string[];
  readonly raw: Effect;
};

export function normalise(stretch: Stretch, payloads: readonly string[]): readonly NormalEffect[] {
  const isTime = (cell: Cell) => isTimeOfRun(cell, stretch) && !payloads.some((text) => text.includes(String(cell)));
  return stretch.effects.map((raw) => {
    const { translate, found } = translator(stretch.rounds);
    const key = translate(raw.key);
    const cells = raw.kind === 'changed' ? changedCells(raw, translate, isTime) : wholeCells(raw, translate, isTime);
    noticeIds(raw, translate);
    const { effect, collection, kind } = raw;
    return { effect, collection, kind, key, cells, rounds: [...found], raw };
  });
}

type Translate = (text: string) => string;
type IsTime = (cell: Cell) => boolean;

function translator(rounds: readonly RoundEvidence[]): { readonly translate: Translate; readonly found: Set<string> } {
  const found = new Set<string>();
  const translate = (text: string) => {
    for (const { round, toOriginal } of rounds) {
      const original = toOriginal(text);
      if (original !== text) {
        found.add(round);
        return original;
      }
    }
    return text;
  };
  return { translate, found };
}

/** An unchanged cell of a changed row may be the one that names the round. */
function noticeIds(raw: Effect, translate: Translate): void {
  if (raw.kind !== 'changed') return;
  for (const cell of Object.values(raw.after ?? {})) translate(textOf(cell));
}

function wholeCells(raw: Effect, translate: Translate, isTime: IsTime): ReadonlyMap<string, NormalCell> {
  const cells = new Map<string, NormalCell>();
  for (const [column, cell] of flatten(raw.after ?? raw.before ?? {})) {
    cells.set(column, { text: translate(textOf(cell)), number: numberOf(cell), isTime: isTime(cell) });
  }
  return cells;
}

function changedCells(raw: Effect, translate: Translate, isTime: IsTime): ReadonlyMap<string, NormalCell> {
  const before = new Map(flatten(raw.before ?? {}));
  const after = new Map(flatten(raw.after ?? {}));
  const cells = new Map<string, NormalCell>();
  for (const column of new Set([...before.keys(), ...after.keys()])) {
    const [old = null, now = null] = [before.get(column), after.get(column)];
    if (textOf(old) === textOf(now)) continue;
    const [from, to] = [numberOf(old), numberOf(now)];
    const number = from !== undefined && to !== undefined ? round(to - from) : undefined;
    cells.set(column, { text: translate(textOf(now)), number, isTime: isTime(now) });
  }
  return cells;
}

/** Float noise of a difference must not look like another amount. */
function round(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}

const MAX_FLATTENED = 200;

/** JSON text becomes one cell a leaf, so that a time inside it does not hide the rest. */
function flatten(cells: Readonly<Record<string, Cell>>): ReadonlyArray<readonly [string, Cell]> {
  return Object.entries(cells).flatMap(([column, cell]) => {
    const document = typeof cell === 'string' ? parseContainer(cell) : undefined;
    if (document === undefined) return [[column, cell] as const];
    const leaves = leavesOf(document, column);
    return leaves.length > MAX_FLATTENED ? [[column, cell] as const] : leaves;
  });
}

function parseContainer(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

function leavesOf(value: unknown, path: string): ReadonlyArray<readonly [string, Cell]> {
  if (value === null || typeof value !== 'object') return [[path, value as Cell]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, `${path}/${name}`));
}

export function textOf(cell: Cell): string {
  return cell !== null && typeof cell === 'object' ? `x'${cell.bytes}'` : String(cell);
}

/** Numbers, and text that is a plain decimal of at most 15 digits: amounts come as text from exact column types. */
function numberOf(cell: Cell): number | undefined {
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'bigint') return Number(cell);
  if (typeof cell === 'string' && cell.length <= 16 && /^-?\d+(\.\d+)?$/.test(cell)) return Number(cell);
  return undefined;
}
