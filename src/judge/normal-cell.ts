import type { Cell } from '../model/effect.ts';
import type { Stretch } from './evidence.ts';
import { textOf } from './flatten.ts';
import { isOfRun, MOMENTS_IN_TEXT, type Moment, momentOf, offsetsOf } from './moment.ts';
import type { PayloadFacts } from './payload-facts.ts';
import { translator } from './translate.ts';

/** A cell made comparable between rounds: fresh ids are mapped back, a changed number is its change. */
export type NormalCell = {
  readonly text: string;
  /** The round whose ids stand in it. */
  readonly round?: string | undefined;
  /** The event, where the cell is its id, its delivery's id or its body's hash. */
  readonly event?: string | undefined;
  /** By how much a changed number changed; for a changed time in milliseconds. */
  readonly growth?: { readonly by: number; readonly unit?: 'ms' | undefined } | undefined;
  /** How far from the run a time lies, at least and at most, in milliseconds. */
  readonly offset?: readonly [number, number] | undefined;
  /** True for a time that a payload holds. */
  readonly isFact?: boolean | undefined;
  /** True for a time of the run itself that no payload holds. */
  readonly isNow: boolean;
};

const MAX_KEPT = 20_000;
/** States, amounts and times come again; what is longer is mostly an id. */
const MAX_KEPT_LENGTH = 24;

/** Reads cells of one stretch. Values that come again and again are read once. */
export function cellReader(stretch: Stretch, facts: PayloadFacts): (cell: Cell) => NormalCell {
  const translate = translator(stretch.rounds);
  const known = new Map<string, NormalCell>();
  const context = { stretch, facts, translate };
  return (cell) => {
    const text = textOf(cell);
    const before = known.get(text);
    if (before) return before;
    const normal = normalCell(cell, text, context);
    if (text.length > MAX_KEPT_LENGTH) return normal;
    if (known.size >= MAX_KEPT) known.clear();
    known.set(text, normal);
    return normal;
  };
}

type Context = {
  readonly stretch: Stretch;
  readonly facts: PayloadFacts;
  readonly translate: ReturnType<typeof translator>;
};

function normalCell(cell: Cell, raw: string, context: Context): NormalCell {
  if (cell === null || typeof cell === 'boolean') return { text: raw, isNow: false };
  const translation = context.translate(raw);
  if (translation) return { ...translation, text: withoutMoments(translation.text, context), isNow: false };
  const moment = momentOf(cell);
  if (!moment) return { text: withoutMoments(raw, context), isNow: false };
  const { stretch, facts } = context;
  const [isFact, isNow] = [facts.holdsMoment(moment), isOfRun(moment, stretch)];
  // A clock that reads the event's own second is either.
  return { text: raw, offset: offsetsOf(moment, stretch), isFact, isNow: isNow && !isFact };
}

/** `sent at 10:00:03` and the like: the times of the run within a longer text become one word. */
function withoutMoments(text: string, { facts, stretch }: Context): string {
  if (text.length < 12 || !/\d{10}|\d:\d{2}/.test(text)) return text;
  const ofRun = (moment: Moment | undefined) => moment && isOfRun(moment, stretch) && !facts.holdsMoment(moment);
  return text.replace(MOMENTS_IN_TEXT, (found) => (ofRun(momentOf(found)) ? '(now)' : found));
}
