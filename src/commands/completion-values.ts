import type { Command, Option } from 'commander';
import type { Corpus, EventSummary } from '../model/corpus.ts';
import { UserError } from '../support/errors.ts';
import type { Context } from './context.ts';
import { shapeOf } from './option-shapes.ts';

export type Candidate = { readonly value: string; readonly description?: string | undefined };

export type Candidates = {
  readonly values: readonly Candidate[];
  /** Names of files fit as well. */
  readonly files?: boolean | undefined;
  /** More belongs to the same word. */
  readonly nospace?: boolean | undefined;
};

/** What is known of the command line. */
export type Typed = {
  readonly command: Command;
  readonly program: Command;
  /** The word that is completed, or what of it stands behind the equals sign. */
  readonly current: string;
  /** The value of `--corpus`. */
  readonly corpus: string | undefined;
  readonly context: Context;
};

export const NOTHING: Candidates = { values: [] };
const FILES: Candidates = { values: [], files: true };

type Source = (typed: Typed) => Candidates | Promise<Candidates>;

/** By name and placeholder, like the rules of values. */
const OF_OPTIONS: Readonly<Record<string, Source>> = {
  'pattern <pattern>': patterns,
  'provider <name>': providers,
  'provider <glob>': providers,
  'fault <id>': async () => {
    const { FAULTS } = await import('../fixtures/receivers/faults/faults.ts');
    return { values: FAULTS.map(({ id, summary }) => ({ value: id, description: summary })) };
  },
  'only <glob>': trials,
  'skip <glob>': trials,
  'event <selector>': selectors,
  'format <name>': async () => {
    const { FORMATS } = await import('../formats/list.ts');
    return { values: FORMATS.map(({ id, title }) => ({ value: id, description: title })) };
  },
  'reporter <report>': async () => {
    const { REPORTERS } = await import('../report/reporters.ts');
    return { values: REPORTERS.map(({ name }) => ({ value: name })) };
  },
  'effect <source>': async () => {
    const { SOURCES } = await import('../observe/sources.ts');
    return { values: SOURCES.map(({ scheme, form }) => ({ value: `${scheme}:`, description: form })), nospace: true };
  },
  'secret <ref>': ({ context }) => ({
    values: [
      ...Object.keys(context.env)
        .filter((name) => /SECRET|KEY|TOKEN/.test(name))
        .map((name) => ({ value: `env:${name}` })),
      { value: 'file:', description: 'the text of a file' },
      { value: 'cmd:', description: 'the first line that a command prints' },
    ],
  }),
  'intercept <variable>': ({ context }) => ({
    values: Object.keys(context.env)
      .filter((name) => /_(URL|URI|DSN)$/.test(name))
      .map((value) => ({ value })),
  }),
  'type <name>': types,
  'type <glob>': types,
  'tag <name>': tags,
  'tag <glob>': tags,
  'add <tag>': tags,
  'remove <tag>': tags,
  'output <target>': () => FILES,
};

/** Of the words of a command, by its name and how many stand before; the last holds for all further ones. */
const OF_ARGUMENTS: Readonly<Record<string, readonly Source[]>> = {
  replay: [selectors],
  test: [selectors],
  send: [selectors],
  show: [selectors],
  tag: [selectors],
  prune: [selectors],
  export: [selectors],
  report: [runs],
  judge: [runs],
  import: [() => FILES],
  verify: [() => FILES, () => NOTHING],
  providers: [providers, () => NOTHING],
  fixtures: [async () => ({ values: await fixtureNames('') }), () => NOTHING],
  receiver: [receivers, () => NOTHING],
  help: [topics, () => NOTHING],
  config: [() => ({ values: [{ value: 'show' }, { value: 'path' }] }), commandNames, () => NOTHING],
  completion: [
    async () => ({ values: (await import('./completion-scripts.ts')).SHELLS.map((value) => ({ value })) }),
    () => NOTHING,
  ],
};

export async function optionCandidates(option: Option, typed: Typed): Promise<Candidates> {
  const { key, placeholder } = shapeOf(option) ?? { key: option.attributeName(), placeholder: undefined };
  const source = OF_OPTIONS[`${key} <${placeholder}>`];
  if (source) return await source(typed);
  return /<file>/.test(option.flags) ? FILES : NOTHING;
}

export async function argumentCandidates(before: readonly string[], typed: Typed): Promise<Candidates> {
  const sources = OF_ARGUMENTS[typed.command.name()] ?? [];
  return (await sources[Math.min(before.length, sources.length - 1)]?.(typed)) ?? NOTHING;
}

/** In `p+q` the last one is completed. */
async function patterns({ current }: Typed): Promise<Candidates> {
  const { PATTERNS } = await import('../plan/patterns.ts');
  const before = current.slice(0, current.lastIndexOf('+') + 1);
  return { values: PATTERNS.map(({ name, summary }) => ({ value: `${before}${name}`, description: summary })) };
}

async function providers(): Promise<Candidates> {
  const { PROVIDERS } = await import('../providers/list.ts');
  return { values: PROVIDERS.map(({ id, name }) => ({ value: id, description: name })) };
}

async function trials(): Promise<Candidates> {
  const { TRIALS } = await import('../suite/trials.ts');
  return { values: TRIALS.map(({ id, title }) => ({ value: id, description: title })) };
}

async function receivers(): Promise<Candidates> {
  const { RECEIVERS } = await import('../fixtures/receivers/start.ts');
  return { values: RECEIVERS.map(({ name, summary }) => ({ value: name, description: summary })) };
}

async function topics(typed: Typed): Promise<Candidates> {
  const { TOPIC_NAMES } = await import('./help-topics.ts');
  const names = TOPIC_NAMES.map((value) => ({ value }));
  return { values: [...commandNames(typed).values, ...names] };
}

export function commandNames({ program }: Pick<Typed, 'program'>): Candidates {
  const commands = program.createHelp().visibleCommands(program);
  return { values: commands.map((command) => ({ value: command.name(), description: command.summary() })) };
}

async function fixtureNames(prefix: string): Promise<readonly Candidate[]> {
  const { FIXTURES } = await import('../fixtures/fixtures.ts');
  return FIXTURES.map(({ name, summary }) => ({ value: `${prefix}${name}`, description: summary }));
}

/** Words that begin a selector, then what fits behind the one that stands there. */
async function selectors(typed: Typed): Promise<Candidates> {
  const [, kind = ''] = /^(fixture|type|provider):|^(?=@)/.exec(typed.current) ?? [];
  if (kind === 'fixture') return { values: await fixtureNames('fixture:') };
  if (kind === 'type') return prefixed('type:', await types(typed));
  if (kind === 'provider') return prefixed('provider:', await providers());
  if (typed.current.startsWith('@')) return prefixed('@', await tags(typed));
  const events = await storedEvents(typed);
  const ids = events
    .slice(0, 20)
    .map(({ id, type, provider }) => ({ value: id, description: `${provider} ${type ?? ''}` }));
  const words = ['last', 'fixture:', 'type:', 'provider:'].filter((word) => word.startsWith(typed.current));
  const values = [...words.map((value) => ({ value })), ...ids];
  const fitting = values.filter(({ value }) => value.startsWith(typed.current));
  return { values, files: true, nospace: fitting.length === 1 && words[0] !== undefined && words[0] !== 'last' };
}

function prefixed(prefix: string, { values }: Candidates): Candidates {
  return { values: values.map(({ value, description }) => ({ value: `${prefix}${value}`, description })) };
}

async function types(typed: Typed): Promise<Candidates> {
  return distinct((await storedEvents(typed)).map(({ type }) => type));
}

async function tags(typed: Typed): Promise<Candidates> {
  return distinct((await storedEvents(typed)).flatMap((event) => event.tags));
}

function distinct(words: readonly (string | undefined)[]): Candidates {
  return { values: [...new Set(words)].flatMap((value) => (value === undefined ? [] : [{ value }])) };
}

const LOOKED_AT = 500;
const OFFERED = 20;

/** The newest events. */
function storedEvents(typed: Typed): Promise<readonly EventSummary[]> {
  return fromCorpus(typed, (corpus) => corpus.list({}, { limit: LOOKED_AT, order: 'newest-first' }));
}

async function runs(typed: Typed): Promise<Candidates> {
  const newest = await fromCorpus(typed, (corpus) => corpus.runs(OFFERED));
  const values = newest.map(({ id, command, verdict }) => ({ value: id, description: `${command}: ${verdict}` }));
  return { values };
}

/** A corpus that cannot be read must not spoil the command line. */
async function fromCorpus<T>(
  { corpus: file, context }: Typed,
  read: (corpus: Corpus) => readonly T[],
): Promise<readonly T[]> {
  const { openCorpusFor, withCorpus } = await import('./wire-corpus.ts');
  try {
    return await withCorpus(openCorpusFor(context, { corpus: file }, 'read'), read);
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
