/** A piece of a text that ids are made of: what stands between separators, a whole UUID, or one half of an e-mail address. */
export type Atom = {
  readonly kind: 'run' | 'uuid' | 'local' | 'domain';
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Of a `local`: the whole address. Equal names mean the same piece. */
  readonly name: string;
};

/** In the order of the text, without overlap. */
export function atomsOf(text: string): readonly Atom[] {
  if (!text.includes('@')) return runsOf(text, 0);
  const atoms: Atom[] = [];
  let read = 0;
  for (const { at, from, to } of addressesIn(text)) {
    const address = text.slice(from, to);
    const domain = text.slice(at + 1, to);
    atoms.push(...runsOf(text.slice(read, from), read));
    atoms.push({ kind: 'local', from, to: at, text: text.slice(from, at), name: `local ${address}` });
    atoms.push({ kind: 'domain', from: at + 1, to, text: domain, name: `domain ${domain}` });
    read = to;
  }
  return [...atoms, ...runsOf(text.slice(read), read)];
}

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const RUN = new RegExp(`${UUID}(?![A-Za-z0-9])|[A-Za-z0-9]+`, 'g');

function runsOf(text: string, shift: number): Atom[] {
  return Array.from(text.matchAll(RUN), ({ 0: run, index }) => {
    const kind = run.includes('-') ? 'uuid' : 'run';
    return { kind, from: shift + index, to: shift + index + run.length, text: run, name: run };
  });
}

type Address = { readonly from: number; readonly at: number; readonly to: number };

/** Looks both ways from each `@`, so that long texts without one cost nothing. */
function addressesIn(text: string): readonly Address[] {
  const found: Address[] = [];
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let from = at;
    while (from > (found.at(-1)?.to ?? 0) && LOCAL_CHARACTER.test(text[from - 1] as string)) from--;
    while (from < at && !ALPHANUMERIC.test(text[from] as string)) from++;
    DOMAIN.lastIndex = at + 1;
    const domain = DOMAIN.exec(text)?.[0];
    if (from < at && domain) found.push({ from, at, to: at + 1 + domain.length });
  }
  return found;
}

const LOCAL_CHARACTER = /[A-Za-z0-9._%+'-]/;
const ALPHANUMERIC = /[A-Za-z0-9]/;
const DOMAIN =
  /[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*\.[A-Za-z]{2,24}(?![A-Za-z0-9])/y;

/** A whole text that is an address, or has one in angle brackets: `Jo <jo@example.test>`. */
export function isAddress(text: string): boolean {
  if (text.length > 320 || !text.includes('@')) return false;
  const inner = /<([^<>]+)>$/.exec(text)?.[1] ?? text;
  const [address, ...more] = addressesIn(inner);
  return address !== undefined && more.length === 0 && address.from === 0 && address.to === inner.length;
}

export const LONGEST_ID = 255;

/** A text that is an id by its form alone, whatever its field is called. */
export function looksLikeId(text: string): boolean {
  if (text.length < 8 || text.length > LONGEST_ID || isNothing(text)) return false;
  if (/^(?:urn:uuid:|\{)?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}?$/.test(text)) return true;
  if (/^gid:\/\/[\w-]+\/[\w-]+\/\w/.test(text)) return true;
  if (/^\d+$/.test(text)) return isBigNumberId(text);
  if (/^[A-Za-z0-9]+$/.test(text)) return isRandomRun(text);
  const prefixed = /^[A-Za-z]{1,12}(?:_[a-z]+)*_([A-Za-z0-9]{8,})(?:_secret_[A-Za-z0-9]+)?$/.exec(text);
  return prefixed !== null && isMixed(prefixed[1] as string) && !/^(?:19|20)\d{6}$/.test(prefixed[1] as string);
}

/** A number that is an id by its size alone: longer than amounts, and no time in micro- or nanoseconds. */
export function isBigNumberId(digits: string): boolean {
  return digits.length >= 14 && digits.length <= 20 && !/^0|^1[5-9]\d{14}$|^1[5-9]\d{17}$/.test(digits);
}

/** What fields hold when they hold no id: the nil UUID, git's "no commit". */
export function isNothing(text: string): boolean {
  return /^0{16,}$|^0{8}(?:-0{4}){3}-0{12}$/.test(text);
}

/** Words, joined or not: `gold`, `past_due`, `Europe/Berlin`. */
export function isWords(text: string): boolean {
  return /^(?:[a-z]+|[A-Z][a-z]+|[A-Z]+)(?:[-_. /:](?:[a-z]+|[A-Z][a-z]+|[A-Z]+))*$/.test(text);
}

function isRandomRun(run: string): boolean {
  const digits = run.replace(/\D/g, '').length;
  const letters = run.length - digits;
  if (run.length >= 16 && digits > 0 && letters > 0 && /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(run)) return true;
  if (run.length >= 14 && digits >= 2 && /[a-z]/.test(run) && /[A-Z]/.test(run)) return true;
  return run.length >= 20 && digits >= 3 && letters >= 3;
}

/** True when letters alone would not read as a word: a digit among them, or capitals inside. */
export function isMixed(run: string): boolean {
  return /\d/.test(run) || (/[a-z]/.test(run) && /.[A-Z]/.test(run) && !CAMEL_CASE.test(run));
}

const CAMEL_CASE = /^[A-Za-z][a-z]+(?:[A-Z][a-z]+)*$/;

/** Which pieces of an id make it unlike others; the rest (prefixes, type names) stays. `forced` finds one in any id. */
export function freeAtoms(text: string, forced: boolean): readonly Atom[] {
  const atoms = atomsOf(text);
  const whole = atoms.filter(({ kind }) => kind !== 'run');
  const runs = atoms.filter(({ kind, text: run }) => kind === 'run' && isMixed(run) && !/^v\d{1,2}$/.test(run));
  const telling = runs.filter(({ text: run }) => !/^(?:19|20)\d\d$/.test(run));
  const long = telling.filter(({ text: run }) => run.length >= 5);
  if (whole.length + long.length > 0) return [...whole, ...long];
  const last = (telling.length > 0 ? telling : runs).at(-1) ?? (forced ? atoms.at(-1) : undefined);
  return last ? [last] : [];
}
