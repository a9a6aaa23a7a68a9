import type { RoundEvidence } from './evidence.ts';

/** A text in the captured event's own ids, and the round whose fresh ids stood in it. */
export type Translation = {
  readonly text: string;
  readonly round?: string | undefined;
  /** The event, where the whole text is its id, its delivery's id or its body's hash. */
  readonly event?: string | undefined;
};

const MAX_KEPT = 20_000;

/** Maps fresh ids back. Equal texts are looked up once, and the last round that fitted is tried first: a row's cells belong together. */
export function translator(rounds: readonly RoundEvidence[]): (text: string) => Translation {
  const known = new Map<string, Translation>();
  const marks = marksOf(rounds);
  let latest = rounds[0];
  const find = (text: string): Translation => {
    const mark = marks.get(HASH.test(text) ? plainHash(text) : text);
    if (mark) return mark;
    for (const evidence of latest ? [latest, ...rounds] : rounds) {
      const original = evidence.toOriginal(text);
      if (original === text) continue;
      latest = evidence;
      return { text: original, round: evidence.round };
    }
    return { text };
  };
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    const translation = find(text);
    if (known.size >= MAX_KEPT) known.clear();
    known.set(text, translation);
    return translation;
  };
}

/** An id is the same in every round once it is mapped back; a hash of the body is not, so all of them get one name. */
function marksOf(rounds: readonly RoundEvidence[]): ReadonlyMap<string, Translation> {
  const marks = new Map<string, Translation>();
  for (const { round, events } of rounds) {
    for (const { id, label, marks: own } of events) {
      const translation = { text: `(id or hash of ${label})`, round, event: id };
      for (const mark of own) marks.set(mark, translation);
    }
  }
  return marks;
}

const HASH = /^(?:x')?[0-9a-fA-F]{32,}'?$/;

/** Hashes are kept in either letter case, and as bytes. */
function plainHash(text: string): string {
  return text.replace(/^x'|'$/g, '').toLowerCase();
}
