import type { Cell, Effect } from '../model/effect.ts';
import { growthOf } from './amount.ts';
import type { Stretch } from './evidence.ts';
import { flatten, textOf } from './flatten.ts';
import { joinReplaced } from './join-replaced.ts';
import { momentOf } from './moment.ts';
import { cellReader, type NormalCell } from './normal-cell.ts';
import type { PayloadFacts } from './payload-facts.ts';
import { type Place, placeMaker } from './places.ts';
import { type RowCells, shapeMaker } from './row-cells.ts';

/** All cells of an added or removed row, the changed ones of a changed row. JSON text is taken apart: `body/order/id`. */
export type NormalEffect = Place &
  RowCells & {
    readonly effect: string;
    readonly collection: string;
    readonly kind: Effect['kind'];
    /** True for a changed row that belongs to no event, such as a total: all rounds change the same one. */
    readonly isShared: boolean;
    readonly key: string;
    /** The rounds whose ids stand in the row; where there is only one round, that one. */
    readonly rounds: readonly string[];
    readonly raw: Effect;
  };

/** The effects of a stretch in the words of the captured events. Rows in which only times of the run moved are left out. */
export function normalise(stretch: Stretch, facts: PayloadFacts): readonly NormalEffect[] {
  return normaliseAll([stretch], facts)[0] ?? [];
}

/** The same for stretches that are going to be compared. */
export function normaliseAll(
  stretches: readonly Stretch[],
  facts: PayloadFacts,
): ReadonlyArray<readonly NormalEffect[]> {
  const joined = joinReplaced(stretches.map(({ effects }) => effects));
  return stretches.map((stretch, index) => normaliseOne({ ...stretch, effects: joined[index] ?? [] }, facts));
}

function normaliseOne(stretch: Stretch, facts: PayloadFacts): readonly NormalEffect[] {
  const [first, ...others] = stretch.rounds;
  const onlyRound = first && others.length === 0 ? [first.round] : undefined;
  const read = cellReader(stretch, facts);
  const context: Context = { onlyRound, read, placeOf: placeMaker(), shapeOf: shapeMaker() };
  const rows: NormalEffect[] = [];
  for (const raw of stretch.effects) {
    const row = raw.kind === 'changed' ? changedRow(raw, context) : wholeRow(raw, context);
    if (row) rows.push(row);
  }
  return rows;
}

type Context = {
  readonly onlyRound: readonly string[] | undefined;
  readonly read: (cell: Cell) => NormalCell;
  readonly placeOf: ReturnType<typeof placeMaker>;
  readonly shapeOf: ReturnType<typeof shapeMaker>;
};

/** A row while it is being read. */
type Draft = {
  readonly key: string;
  readonly columns: string[];
  readonly cells: NormalCell[];
  rounds: readonly string[];
  isShared: boolean;
};

const NONE: readonly string[] = [];

function draftOf(raw: Effect, { read }: Context): Draft {
  const key = read(raw.key);
  const draft = { key: key.text, columns: [], cells: [], rounds: NONE, isShared: false };
  notice(key, draft);
  return draft;
}

function notice({ round }: NormalCell, draft: Draft): void {
  if (round !== undefined && !draft.rounds.includes(round)) draft.rounds = [...draft.rounds, round];
}

function wholeRow(raw: Effect, context: Context): NormalEffect {
  const draft = draftOf(raw, context);
  flatten(raw.after ?? raw.before ?? {}, (column, cell) => {
    const normal = context.read(cell);
    notice(normal, draft);
    draft.columns.push(column);
    draft.cells.push(normal);
  });
  return normalEffect(raw, draft, context);
}

/** What stayed as it was, the key included, tells whose row it is. */
function changedRow(raw: Effect, context: Context): NormalEffect | undefined {
  const draft = draftOf(raw, context);
  const [before, after] = [flatMap(raw.before), flatMap(raw.after)];
  const changes: Change[] = [];
  for (const column of new Set([...before.keys(), ...after.keys()])) {
    const change = { column, old: before.get(column) ?? null, now: after.get(column) ?? null };
    if (textOf(change.old) === textOf(change.now)) notice(context.read(change.now), draft);
    else changes.push(change);
  }
  draft.isShared = draft.rounds.length === 0;
  for (const change of changes) {
    const cell = changedCell(change, context);
    if (!cell) continue;
    notice(cell, draft);
    draft.columns.push(change.column);
    draft.cells.push(cell);
  }
  return draft.cells.length === 0 ? undefined : normalEffect(raw, draft, context);
}

type Change = { readonly column: string; readonly old: Cell; readonly now: Cell };

/** A time that moved on to now is what every touch of a row leaves; one where there was none may say `refunded`. */
function changedCell({ column, old, now }: Change, { read }: Context): NormalCell | undefined {
  const cell = read(now);
  if (cell.isNow) return old !== null || isTouchColumn(column) ? undefined : cell;
  const growth = cell.round === undefined ? growthOfCell(old, now) : undefined;
  return growth ? { ...cell, growth } : cell;
}

function normalEffect(raw: Effect, draft: Draft, context: Context): NormalEffect {
  const { isShared, key, cells, columns } = draft;
  const { effect, collection, kind } = raw;
  const { table, group } = context.placeOf(raw, isShared);
  const rounds = draft.rounds.length === 0 && context.onlyRound ? context.onlyRound : draft.rounds;
  return { effect, collection, kind, table, group, isShared, key, shape: context.shapeOf(columns), cells, rounds, raw };
}

function flatMap(cells: Effect['after']): ReadonlyMap<string, Cell> {
  const flat = new Map<string, Cell>();
  flatten(cells ?? {}, (column, cell) => flat.set(column, cell));
  return flat;
}

/** `updated_at`, `lastSeenAt`: a time there, or none, says only that somebody came by. */
export function isTouchColumn(column: string): boolean {
  const name = column.replace(/^.*\//, '').replace(/(?<=[a-z])(?=[A-Z])/g, '_');
  return /^last_|(?:^|_)(?:updated|modified|changed|touched|seen|accessed)(?:_(?:at|on|date|time|ts))?$/i.test(name);
}

function growthOfCell(old: Cell, now: Cell): NormalCell['growth'] {
  const by = growthOf(old, now);
  if (by !== undefined) return { by };
  const [from, to] = [momentOf(old), momentOf(now)];
  return from && to ? { by: to.ms - from.ms, unit: 'ms' } : undefined;
}
