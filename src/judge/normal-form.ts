import type { Cell, Effect } from '../model/effect.ts';
import { growthOf } from './amount.ts';
import type { Stretch } from './evidence.ts';
import { flatten, textOf } from './flatten.ts';
import { isOfRun, MOMENTS_IN_TEXT, type Moment, momentOf, offsetsOf } from './moment.ts';
import type { PayloadFacts } from './payload-facts.ts';
import { type Place, placeMaker } from './places.ts';
import { type Translation, translator } from './translate.ts';

/** A cell made comparable between rounds: fresh ids are mapped back, a changed number is its change. */
export type NormalCell = {
  readonly text: string;
  /** By how much a changed number changed; for a changed time in milliseconds. */
  readonly growth?: { readonly by: number; readonly unit?: 'ms' | undefined } | undefined;
  /** How far from the run a time lies, at least and at most, in milliseconds. */
  readonly offset?: readonly [number, number] | undefined;
  /** True for a time that a payload holds. */
  readonly isFact?: boolean | undefined;
  /** True for a time of the run itself that no payload holds. */
  readonly isNow: boolean;
  /** The event, where the cell is its id, its delivery's id or its body's hash. */
  readonly event?: string | undefined;
};

export type NormalEffect = Place & {
  readonly effect: string;
  readonly collection: string;
  readonly kind: Effect['kind'];
  /** True for a changed row that belongs to no event, such as a total: all rounds change the same one. */
  readonly isShared: boolean;
  readonly key: string;
  /** All cells of an added or removed row, the changed ones of a changed row. JSON text is taken apart: `body/order/id`. */
  readonly cells: ReadonlyMap<string, NormalCell>;
  /** The rounds whose ids stand in the row; where there is only one round, that one. */
  readonly rounds: readonly string[];
  readonly raw: Effect;
};

/** The effects of a stretch in the words of the captured events. Rows in which only times of the run moved are left out. */
export function normalise(stretch: Stretch, facts: PayloadFacts): readonly NormalEffect[] {
  const context: Context = { stretch, facts, translate: translator(stretch.rounds), placeOf: placeMaker() };
  return stretch.effects.flatMap((raw) => normalEffect(raw, context) ?? []);
}

type Context = {
  readonly stretch: Stretch;
  readonly facts: PayloadFacts;
  readonly translate: (text: string) => Translation;
  readonly placeOf: (raw: Effect, isShared: boolean) => Place;
};

function normalEffect(raw: Effect, context: Context): NormalEffect | undefined {
  const found = new Set<string>();
  const key = translateInto(found, raw.key, context).text;
  const constant = raw.kind === 'changed' ? noticeConstants(raw, found, context) : undefined;
  const isShared = raw.kind === 'changed' && found.size === 0;
  const cells =
    raw.kind === 'changed'
      ? changedCells(raw, constant ?? new Map(), { found, context })
      : wholeCells(raw, found, context);
  if (raw.kind === 'changed' && cells.size === 0) return undefined;
  const { effect, collection, kind } = raw;
  const [only, ...others] = context.stretch.rounds;
  const rounds = found.size === 0 && only && others.length === 0 ? [only.round] : [...found];
  const { table, group } = context.placeOf(raw, isShared);
  return { effect, collection, kind, table, group, isShared, key, cells, rounds, raw };
}

function translateInto(found: Set<string>, text: string, { translate }: Context): Translation {
  const translation = translate(text);
  if (translation.round !== undefined) found.add(translation.round);
  return translation;
}

type Flat = ReadonlyMap<string, Cell>;

/** What stayed as it was tells whose row it is. Returns the row as it was before. */
function noticeConstants({ before, after }: Effect, found: Set<string>, context: Context): Flat {
  const old = new Map(flatten(before ?? {}));
  for (const [column, cell] of flatten(after ?? {})) {
    const text = textOf(cell);
    if (cell !== null && textOf(old.get(column) ?? null) === text) translateInto(found, text, context);
  }
  return old;
}

function wholeCells(raw: Effect, found: Set<string>, context: Context): ReadonlyMap<string, NormalCell> {
  const cells = new Map<string, NormalCell>();
  for (const [column, cell] of flatten(raw.after ?? raw.before ?? {})) {
    cells.set(column, normalCell(cell, found, context));
  }
  return cells;
}

type Reading = { readonly found: Set<string>; readonly context: Context };

function changedCells(raw: Effect, before: Flat, { found, context }: Reading): ReadonlyMap<string, NormalCell> {
  const after = new Map(flatten(raw.after ?? {}));
  const cells = new Map<string, NormalCell>();
  for (const column of new Set([...before.keys(), ...after.keys()])) {
    const [old = null, now = null] = [before.get(column), after.get(column)];
    if (textOf(old) === textOf(now)) continue;
    const cell = normalCell(now, found, context);
    // A time that moved on to now is what every touch of a row leaves; one where there was none may say `refunded`.
    if (cell.isNow && (old !== null || isTouchColumn(column))) continue;
    const isId = cell.text !== textOf(now);
    const growth = isId || cell.isNow ? undefined : growthOfCell(old, now);
    cells.set(column, growth === undefined ? cell : { ...cell, growth });
  }
  return cells;
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

function normalCell(cell: Cell, found: Set<string>, context: Context): NormalCell {
  const raw = textOf(cell);
  if (cell === null || typeof cell === 'boolean') return { text: raw, isNow: false };
  const { text, event } = translateInto(found, raw, context);
  // A fresh id may look like a time.
  const moment = text === raw ? momentOf(cell) : undefined;
  if (!moment) return { text: withoutMoments(text, context), isNow: false, event };
  const { stretch, facts } = context;
  const [isFact, isNow] = [facts.holdsMoment(moment), isOfRun(moment, stretch)];
  if (isFact && !isNow) return { text, isNow };
  // A clock that reads the event's own second is either.
  return { text, offset: offsetsOf(moment, stretch), isFact, isNow: isNow && !isFact };
}

/** `sent at 10:00:03` and the like: the times of the run within a longer text become one word. */
function withoutMoments(text: string, { facts, stretch }: Context): string {
  if (text.length < 12 || !/\d{10}|\d:\d{2}/.test(text)) return text;
  const ofRun = (moment: Moment | undefined) => moment && isOfRun(moment, stretch) && !facts.holdsMoment(moment);
  return text.replace(MOMENTS_IN_TEXT, (found) => (ofRun(momentOf(found)) ? '(now)' : found));
}
