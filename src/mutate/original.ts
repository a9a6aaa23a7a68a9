import { pushTo } from '../support/push-to.ts';

/** A renewed piece and what it stands for. */
export type Renewed = { readonly old: string; readonly renewed: string };

/**
 * Maps new ids back to old ones wherever they stand in a text, also in the forms in which receivers keep them: in one
 * letter case, a UUID without dashes, a number that went through a double.
 */
export function createToOriginal(pairs: () => Iterable<Renewed>): (text: string) => string {
  let index: Index | undefined;
  return (text) => {
    index ??= buildIndex(pairs());
    return text.length < HEAD ? text : rewrite(text, index);
  };
}

/** New pieces are at least this long. */
const HEAD = 9;

type Index = {
  readonly byHead: ReadonlyMap<string, readonly Renewed[]>;
  /** 1 at the two low bytes of each head's first two characters: most places of a text are told apart by that alone. */
  readonly starts: Uint8Array;
};

function buildIndex(pairs: Iterable<Renewed>): Index {
  const byHead = new Map<string, Renewed[]>();
  const starts = new Uint8Array(65_536);
  for (const pair of pairs) {
    for (const form of formsOf(pair)) {
      if (form.renewed.length < HEAD) continue;
      const head = form.renewed.slice(0, HEAD);
      pushTo(byHead, head, form);
      starts[startOf(form.renewed, 0)] = 1;
    }
  }
  for (const forms of byHead.values()) forms.sort((a, b) => b.renewed.length - a.renewed.length);
  return { byHead, starts };
}

function formsOf({ old, renewed }: Renewed): readonly Renewed[] {
  const forms = [{ old, renewed }];
  const add = (change: (text: string) => string) => {
    const form = { old: change(old), renewed: change(renewed) };
    if (forms.every((known) => known.renewed !== form.renewed)) forms.push(form);
  };
  if (/^\d+$/.test(renewed)) {
    if (renewed.length >= 16 && /^\d+$/.test(old)) {
      add((digits) => String(Number(digits)));
      add((digits) => BigInt(Number(digits)).toString());
    }
    return forms;
  }
  add((text) => text.toLowerCase());
  add((text) => text.toUpperCase());
  if (UUID.test(renewed)) {
    add((text) => text.replaceAll('-', ''));
    add((text) => text.replaceAll('-', '').toLowerCase());
  }
  return forms;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function rewrite(text: string, { byHead, starts }: Index): string {
  let written = '';
  let copied = 0;
  for (let at = 0; at + HEAD <= text.length; at++) {
    if (starts[startOf(text, at)] === 0) continue;
    const form = byHead.get(text.slice(at, at + HEAD))?.find(({ renewed }) => stands(renewed, text, at));
    if (!form) continue;
    written += text.slice(copied, at) + form.old;
    copied = at + form.renewed.length;
    at = copied - 1;
  }
  return copied === 0 ? text : written + text.slice(copied);
}

/** A number within a longer number is another number; `%22` before it is a quotation mark. */
function stands(renewed: string, text: string, at: number): boolean {
  if (!text.startsWith(renewed, at)) return false;
  if (!/^\d+$/.test(renewed)) return true;
  const follows = isDigit(text, at - 1) && !/%[0-9A-Fa-f]{2}$/.test(text.slice(Math.max(0, at - 3), at));
  return !follows && !isDigit(text, at + renewed.length);
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function startOf(text: string, at: number): number {
  return ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff);
}
