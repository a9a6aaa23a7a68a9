import { escapeRegExp } from '../support/escape-reg-exp.ts';
import { MOMENTS_IN_TEXT, type Moment, momentOf, someZone } from './moment.ts';

/** What the captured payloads say: a value that stands there is a fact of the event, whatever it looks like. */
export type PayloadFacts = {
  readonly holdsMoment: (moment: Moment) => boolean;
  /** True when it stands there as a word of its own. */
  readonly holdsWord: (word: string) => boolean;
  /** True when a JSON member or form field of that name has that value somewhere. */
  readonly holdsMember: (name: string, value: string) => boolean;
};

export function payloadFacts(payloads: readonly string[]): PayloadFacts {
  let moments: ReadonlySet<number> | undefined;
  return {
    holdsMoment: (moment) => {
      moments ??= momentsIn(payloads);
      const facts = moments;
      const { precisionMs } = moment;
      return facts.size > 0 && someZone(moment, (ms) => facts.has(Math.floor(ms / precisionMs) * precisionMs));
    },
    holdsWord: (word) => {
      const alone = new RegExp(`(?<![\\w.])${escapeRegExp(word)}(?![\\w.])`);
      return payloads.some((text) => text.includes(word) && alone.test(text));
    },
    holdsMember: (name, value) => {
      const [left, right] = [escapeRegExp(name), escapeRegExp(value)];
      const member = new RegExp(`"${left}"\\s*:\\s*"?${right}"?\\s*[,}]|(?:^|&)${left}=${right}(?:&|$)`);
      return payloads.some((text) => text.includes(name) && member.test(text));
    },
  };
}

/** Receivers keep milliseconds, or cut them to seconds or minutes. */
function momentsIn(payloads: readonly string[]): ReadonlySet<number> {
  const facts = new Set<number>();
  for (const payload of payloads) {
    const text = payload.includes('%3A') ? payload.replaceAll('%3A', ':') : payload;
    for (const [found] of text.matchAll(MOMENTS_IN_TEXT)) {
      const ms = momentOf(found)?.ms;
      if (ms === undefined) continue;
      for (const precision of [1, 1000, 60_000]) facts.add(Math.floor(ms / precision) * precision);
    }
  }
  return facts;
}
