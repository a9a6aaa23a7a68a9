import { type Atom, freeAtoms, isMixed } from './id-forms.ts';
import { type Shape, shapeOf } from './shapes.ts';

/** A piece of text that a fresh identity replaces, everywhere alike. */
export type Unit = {
  /** Its place among the new texts of a round. */
  readonly index: number;
  readonly text: string;
  readonly shape: Shape;
  /** True when it is long enough to be known anywhere; else only in places that hold ids. */
  readonly strong: boolean;
};

/** A unit within an id that only the whole id stands for: a mere word, base64 with signs in it. */
export type WholeId = { readonly from: number; readonly to: number; readonly unit: Unit };

/** All ids of a family of events, and what is renewed in each. */
export type Registry = {
  readonly units: readonly Unit[];
  /** By the atom's name. */
  readonly byName: ReadonlyMap<string, Unit>;
  /** By the whole text. */
  readonly wholes: ReadonlyMap<string, WholeId>;
  /** Full texts of all ids. */
  readonly ids: ReadonlySet<string>;
  /** Full texts of ids that the user keeps. */
  readonly kept: ReadonlySet<string>;
  /** Texts that no new piece may equal. */
  readonly taken: ReadonlySet<string>;
};

export type RegistryBuilder = Registry & {
  /** `forced`: even when it is a mere word. */
  readonly add: (id: string, forced: boolean) => void;
  readonly keep: (id: string) => void;
  readonly take: (text: string) => void;
};

export function createRegistry(): RegistryBuilder {
  const units: Unit[] = [];
  const byName = new Map<string, Unit>();
  const wholes = new Map<string, WholeId>();
  const ids = new Set<string>();
  const kept = new Set<string>();
  const taken = new Set<string>();
  const newUnit = (atom: Pick<Atom, 'kind' | 'text'>, strong: boolean): Unit => {
    const unit = { index: units.length, text: atom.text, shape: shapeOf(atom), strong };
    units.push(unit);
    taken.add(atom.text);
    return unit;
  };
  const addAtom = (atom: Atom) => {
    if (!byName.has(atom.name)) byName.set(atom.name, newUnit(atom, isStrong(atom)));
  };
  const addWhole = (id: string, from: number, to: number) => {
    wholes.set(id, { from, to, unit: newUnit({ kind: 'run', text: id.slice(from, to) }, false) });
  };
  const add = (id: string, forced: boolean) => {
    if (id === '' || kept.has(id) || ids.has(id)) return;
    ids.add(id);
    const base64 = BASE64.exec(id)?.[1];
    if (base64) return addWhole(id, 0, base64.length);
    const atoms = freeAtoms(id, forced);
    const [only] = atoms;
    if (atoms.length === 1 && only?.kind === 'run' && isWord(only.text)) addWhole(id, only.from, only.to);
    else for (const atom of atoms) addAtom(atom);
  };
  return {
    units,
    byName,
    wholes,
    ids,
    kept,
    taken,
    add,
    keep: (id) => void kept.add(id),
    take: (text) => void taken.add(text),
  };
}

/** Signs other than `-` and `_` in it, so that its pieces mean nothing. */
const BASE64 = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*\+|.*=$)([A-Za-z0-9+/]{12,})={0,2}$/;

function isWord(run: string): boolean {
  return /^[A-Za-z]+$/.test(run) && !isMixed(run);
}

/** Six digits, or eight letters and digits, stand for themselves anywhere. */
function isStrong({ kind, text }: Atom): boolean {
  if (kind !== 'run') return true;
  return /^\d+$/.test(text) ? text.length >= 6 : text.length >= 8;
}
