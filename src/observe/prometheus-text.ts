import type { Cell, Collection, Row, Snapshot } from '../model/effect.ts';
import { ProbeError } from '../support/errors.ts';
import { pushTo } from '../support/push-to.ts';

type Wanted = {
  readonly wanted: readonly RegExp[];
  /** For messages. */
  readonly source: string;
};

type Sample = {
  readonly name: string;
  readonly labels: ReadonlyArray<readonly [name: string, value: string]>;
  readonly value: Cell;
};

/**
 * The text format of Prometheus (version 0.0.4) and of OpenMetrics: a collection per series name, a row per set of labels.
 * A histogram or summary by its own name is its `_count` and `_sum`: into which bucket a request falls is chance. Its
 * other series are wanted by their names.
 * @throws ProbeError for what is not such a text
 */
export function readMetrics(text: string, { wanted, source }: Wanted): Snapshot {
  const collections = new Map<string, Row[]>();
  const types = new Map<string, string>();
  const isWanted = wantedSeries(wanted, types);
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [, family, type] = /^# TYPE (\S+) (\w+)/.exec(line) ?? [];
    if (family !== undefined && type !== undefined) types.set(family, type);
    if (line.trim() === '' || line.startsWith('#')) continue;
    const sample = readSample(line);
    if (!sample) throw notMetrics({ source, line, number: index + 1 });
    if (isWanted(sample.name)) pushTo(collections, sample.name, rowOf(sample));
  }
  return { collections: [...collections].map(([name, rows]): Collection => ({ name, rows })) };
}

function wantedSeries(wanted: readonly RegExp[], types: ReadonlyMap<string, string>): (name: string) => boolean {
  const isNamed = (name: string) => wanted.some((pattern) => pattern.test(name));
  return (name) => {
    const [, family = '', part = ''] = /^(.+)_(count|sum|total|bucket|created)$/.exec(name) ?? [];
    const ofFamily = types.get(family);
    // By a pattern nobody means the single buckets.
    if (ofFamily === 'histogram' || ofFamily === 'summary') {
      return part === 'count' || part === 'sum' ? isNamed(name) || isNamed(family) : isNamedExactly(wanted, name);
    }
    if (part === 'created' || types.get(name) === 'summary') return isNamedExactly(wanted, name);
    return isNamed(name) || (ofFamily === 'counter' && part === 'total' && isNamed(family));
  };
}

function isNamedExactly(wanted: readonly RegExp[], name: string): boolean {
  return wanted.some(({ source }) => source === `^${name.replaceAll('.', '\\.')}$`);
}

const NAME = String.raw`[^\s{},="]+`;
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
/** Name, labels, value; a time and an exemplar may follow. A name that is no plain word stands quoted among the labels. */
const SAMPLE = new RegExp(
  `^(${NAME})?\\s*(?:\\{((?:[^"}]|${QUOTED})*)\\})?\\s*([^\\s{}#]+)(?:\\s+[-+\\d.eE]+)?(?:\\s+#\\s.*)?\\s*$`,
);
const LABEL = new RegExp(`\\s*(?:(${NAME}|${QUOTED})\\s*=\\s*)?(${QUOTED})\\s*(?:,|$)`, 'y');

function readSample(line: string): Sample | undefined {
  const [, plain, inBraces = '', number = ''] = SAMPLE.exec(line) ?? [];
  const value = numberOf(number);
  const parts = readLabels(inBraces);
  if (!parts || value === undefined) return undefined;
  const quoted = parts.find(([label]) => label === undefined)?.[1];
  const name = plain ?? quoted;
  if (name === undefined) return undefined;
  const labels = parts.flatMap(([label, text]) => (label === undefined ? [] : [[label, text] as const]));
  return { name, labels, value };
}

function readLabels(text: string): ReadonlyArray<readonly [string | undefined, string]> | undefined {
  const labels: (readonly [string | undefined, string])[] = [];
  LABEL.lastIndex = 0;
  while (text.slice(LABEL.lastIndex).trim() !== '') {
    const [, name, value = ''] = LABEL.exec(text) ?? [];
    if (LABEL.lastIndex === 0) return undefined;
    labels.push([name === undefined ? undefined : unquote(name), unquote(value)]);
  }
  return labels;
}

function unquote(text: string): string {
  if (!text.startsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/gs, (_escape, character: string) => (character === 'n' ? '\n' : character));
}

/** Whole numbers exactly; `NaN` and the infinities as text, so that they are equal to themselves. */
function numberOf(text: string): Cell | undefined {
  if (/^[+-]?\d+$/.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
  const special = /^([+-]?)(nan|inf|infinity)$/i.exec(text);
  if (special) return special[2]?.toLowerCase() === 'nan' ? 'NaN' : `${special[1] === '-' ? '-' : '+'}Inf`;
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

function rowOf({ name, labels, value }: Sample): Row {
  const sorted = labels.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shown = sorted.map(([label, text]) => `${label}=${JSON.stringify(text)}`).join(',');
  return { key: shown === '' ? name : `{${shown}}`, cells: { ...Object.fromEntries(sorted), value } };
}

function notMetrics({ source, line, number }: { source: string; line: string; number: number }): ProbeError {
  return new ProbeError(`"${source}" gave no metrics: line ${number} is "${line.slice(0, 80)}".`, {
    hint: 'It must answer in the text format of Prometheus. Open the URL yourself and see what it says.',
  });
}
