import type { RoundEvidence } from './evidence.ts';

/** A text in the captured event's own ids, and the round whose fresh ids stood in it. */
export type Translation = {
  readonly text: string;
  readonly round: string;
  /** The event, where the whole text is its id, its delivery's id or its body's hash. */
  readonly event?: string | undefined;
};

/** Maps fresh ids back; `undefined` for a text that holds none. The last round that fitted is tried first: a row's cells belong together. */
export function translator(rounds: readonly RoundEvidence[]): (text: string) => Translation | undefined {
  const marks = marksOf(rounds);
  let latest: RoundEvidence | undefined;
  return (text) => {
    const mark = marks.get(text.length >= 32 && HASH.test(text) ? plainHash(text) : text);
    if (mark) return mark;
    const before = latest && translateIn(latest, text);
    return before ?? translateInAny(text);
  };

  function translateInAny(text: string): Translation | undefined {
    for (const evidence of rounds) {
      const translation = evidence === latest ? undefined : translateIn(evidence, text);
      if (!translation) continue;
      latest = evidence;
      return translation;
    }
    return undefined;
  }
}

function translateIn({ round, toOriginal }: RoundEvidence, text: string): Translation | undefined {
  const original = toOriginal(text);
  return original === text ? undefined : { text: original, round };
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
