import type { BodySpan } from './body-spans.ts';
import { type Atom, atomsOf } from './id-forms.ts';
import { keyFacts } from './key-class.ts';
import type { Registry, Unit } from './registry.ts';
import type { Role } from './role.ts';
import { byteAt, unescapePercent, type View } from './view.ts';

/** Where a unit stands, as bytes. */
export type Occurrence = { readonly from: number; readonly to: number; readonly unit: Unit };

/** All places within a span that a fresh identity replaces. */
export function occurrencesIn(span: BodySpan, role: Role, registry: Registry): readonly Occurrence[] {
  if (role === 'never' || role === 'kept') return [];
  const { text } = span.view;
  const isId = role === 'id' || role === 'forced';
  if (span.kind === 'number') {
    return isId || text.length >= LONG_NUMBER ? inText(span.view, registry, anywhere) : [];
  }
  const whole = registry.wholes.get(text);
  if (whole && !registry.kept.has(text)) {
    return [{ from: byteAt(span.view, whole.from), to: byteAt(span.view, whole.to), unit: whole.unit }];
  }
  if (isId || isKnownId(text, registry)) return inText(span.view, registry, anywhere);
  const isNumbered = NUMBERED.test(text) && keyFacts(span.key).class !== 'never';
  return inText(span.view, registry, isNumbered ? anywhere : strongOrKnown(registry));
}

/** Amounts are shorter. */
const LONG_NUMBER = 9;

/** The same text as an id elsewhere, unless it is a short number, which may count anything. */
function isKnownId(text: string, { ids }: Registry): boolean {
  return ids.has(text) && !/^\d{1,5}$/.test(text);
}

/** In text that is no value of a field: a header, a path. */
export function occurrencesInText(view: View, registry: Registry): readonly Occurrence[] {
  return inText(view, registry, strongOrKnown(registry));
}

/** The units of an id, as places in its text. */
export function occurrencesInId(id: string, registry: Registry): readonly Occurrence[] {
  if (registry.kept.has(id)) return [];
  const whole = registry.wholes.get(id);
  return whole ? [whole] : inText({ text: id, start: 0 }, registry, anywhere);
}

/** `#1001`, `Order #1001`, `SO-1001`: an order number in its clothes. */
const NUMBERED = /^(?:[A-Za-z]{0,10}[ -]?#|[A-Z]{1,6}-)\d{3,5}$/;

type Accept = (unit: Unit, atom: Atom, text: string) => boolean;

const anywhere: Accept = () => true;

/** A short piece is an id as part of a known one, `cus_7`, and in a path, `/orders/7`, but not in `3 of 7`. */
function strongOrKnown({ ids }: Registry): Accept {
  return (unit, atom, text) => {
    if (unit.strong) return true;
    const word = wordAround(atom, text);
    return /\D/.test(word) ? ids.has(word) : isPathSegment(atom, text);
  };
}

function wordAround({ from, to }: Atom, text: string): string {
  let [start, end] = [from, to];
  while (WORD_CHARACTER.test(text[start - 1] ?? '')) start--;
  while (WORD_CHARACTER.test(text[end] ?? '')) end++;
  return text.slice(start, end);
}

const WORD_CHARACTER = /[A-Za-z0-9_-]/;

function isPathSegment({ from, to }: Atom, text: string): boolean {
  const isUrl = text.startsWith('/') || /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  return isUrl && text[from - 1] === '/' && /^(?:$|[/?#{])/.test(text.slice(to, to + 1));
}

function inText(encoded: View, registry: Registry, accept: Accept): readonly Occurrence[] {
  const view = /%[0-9a-fA-F]{2}/.test(encoded.text) ? unescapePercent(encoded) : encoded;
  const { text } = view;
  if (!/[A-Za-z0-9]/.test(text)) return [];
  const found: Occurrence[] = [];
  const kept = registry.kept.size > 0 ? keptRanges(text, registry.kept) : [];
  const atoms = atomsOf(text);
  for (const [index, atom] of atoms.entries()) {
    // Half an address is none: the domain goes with its own local part only.
    if (atom.kind === 'domain' && !registry.byName.has(atoms[index - 1]?.name ?? '')) continue;
    for (const { from, to, unit } of unitsAt(atom, registry)) {
      if (!accept(unit, atom, text) || kept.some((range) => from < range.to && to > range.from)) continue;
      found.push({ from: byteAt(view, from), to: byteAt(view, to), unit });
    }
  }
  return found;
}

/** An address that is not known may still hold a known piece: `order-1234567@shop.test`. */
function unitsAt(atom: Atom, registry: Registry): readonly Occurrence[] {
  const unit = registry.byName.get(atom.name);
  if (unit) return [{ from: atom.from, to: atom.to, unit }];
  if (atom.kind !== 'local') return [];
  return atomsOf(atom.text).flatMap((inner) =>
    unitsAt({ ...inner, from: atom.from + inner.from, to: atom.from + inner.to }, registry),
  );
}

type Range = { readonly from: number; readonly to: number };

function keptRanges(text: string, kept: ReadonlySet<string>): readonly Range[] {
  const ranges: Range[] = [];
  for (const id of kept) {
    for (let from = text.indexOf(id); from >= 0; from = text.indexOf(id, from + 1)) {
      const to = from + id.length;
      if (!isInside(text, from) && !isInside(text, to)) ranges.push({ from, to });
    }
  }
  return ranges;
}

/** True between two letters or digits. */
function isInside(text: string, at: number): boolean {
  return ALPHANUMERIC.test(text[at - 1] ?? '') && ALPHANUMERIC.test(text[at] ?? '');
}

const ALPHANUMERIC = /[A-Za-z0-9]/;
