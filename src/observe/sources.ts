import type { Probe } from '../model/effect.ts';
import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';
import { amqp, amqps } from './amqp.ts';
import { exec } from './exec.ts';
import { hideCredentials } from './hide-credentials.ts';
import { http, https } from './http.ts';
import { log } from './log.ts';
import { metrics, metricsTls } from './metrics.ts';
import { mysql } from './mysql.ts';
import { nats } from './nats.ts';
import { postgres, postgresql } from './postgres.ts';
import { redis, rediss } from './redis.ts';
import { smtp } from './smtp.ts';
import type { Source, SourceContext, UnopenedSource } from './source.ts';
import { spy } from './spy.ts';
import { sqlite } from './sqlite.ts';

/** To add a kind of source: one file, one line here. */
export const SOURCES: readonly Source[] = [
  sqlite,
  postgres,
  postgresql,
  mysql,
  redis,
  rediss,
  http,
  https,
  metrics,
  metricsTls,
  exec,
  log,
  spy,
  smtp,
  amqp,
  amqps,
  nats,
];

/** Opens one `--effect`: `SOURCE`, or `name=SOURCE`. Throws `UserError` for what is written wrong, `ProbeError` for what cannot be read. */
export async function openProbe(text: string, context: SourceContext): Promise<Probe> {
  const { name, source } = parseEffect(text);
  return await source.open(name ?? source.defaultName, context);
}

/**
 * The sources of a command, opened in two steps: where we listen at once, since a receiver that is going to be started must
 * be told the place; the rest when it is there, since it may have to make what is observed.
 */
export type ProbeSet = {
  /** Only those where we listen. */
  readonly listening: readonly Probe[];
  /** Opens the rest and hands all over, in the order in which they were named. None stays open when one fails. */
  readonly openAll: () => Promise<readonly Probe[]>;
  /** Closes what was not handed over. */
  readonly close: () => Promise<void>;
};

/**
 * Understands every `--effect` of a command and opens those where we listen, each under a name of its own: a made name that
 * is taken gets a number. All are understood before the first is opened, and none stays open when one fails.
 */
export async function openListening(texts: readonly string[], context: SourceContext): Promise<ProbeSet> {
  const parsed = texts.map(parseEffect);
  const names = distinctNames(parsed);
  const open = new Map<number, Probe>();
  const close = async () => {
    const closing = [...open.values()].map((probe) => probe.close());
    open.clear();
    await Promise.allSettled(closing);
  };
  const openEach = async (isWanted: (source: UnopenedSource) => boolean) => {
    try {
      for (const [index, { source }] of parsed.entries()) {
        if (isWanted(source)) open.set(index, await source.open(names[index] ?? '', context));
      }
    } catch (error) {
      await close();
      throw error;
    }
  };
  await openEach(({ listens }) => listens === true);
  return {
    listening: [...open.values()],
    openAll: async () => {
      await openEach(({ listens }) => listens !== true);
      const all = [...open].sort(([a], [b]) => a - b).map(([, probe]) => probe);
      open.clear();
      return all;
    },
    close,
  };
}

/** The same in one step. */
export async function openProbes(texts: readonly string[], context: SourceContext): Promise<readonly Probe[]> {
  return (await openListening(texts, context)).openAll();
}

/** Throws `UserError` for what is written wrong, as `openProbes` does, and opens nothing. */
export function checkSources(texts: readonly string[]): void {
  distinctNames(texts.map(parseEffect));
}

type ParsedEffect = { readonly name: string | undefined; readonly source: UnopenedSource };

/** A name is one only when a scheme that we know follows the equals sign. */
function parseEffect(text: string): ParsedEffect {
  const direct = sourceOf(text);
  if (direct) return { name: undefined, source: direct };
  const [, name, source = ''] = /^([\p{L}\p{N}_.-]+)=(.*)$/su.exec(text) ?? [];
  const named = name === undefined ? undefined : sourceOf(source);
  if (named) return { name, source: named };
  throw unknownSource(text, name === undefined ? text : source);
}

function sourceOf(text: string): UnopenedSource | undefined {
  const scheme = schemeOf(text);
  if (scheme === undefined) return undefined;
  const source = SOURCES.find((known) => known.scheme === scheme);
  return source?.parse({ text, rest: text.slice(scheme.length + 1) });
}

function schemeOf(text: string): string | undefined {
  return /^([A-Za-z][A-Za-z0-9+]*):/.exec(text)?.[1]?.toLowerCase();
}

function unknownSource(text: string, source: string): UserError {
  const shown = hideCredentials(text);
  const scheme = schemeOf(source);
  if (scheme === undefined) {
    return new UserError('BAD_EFFECT', `"${shown}" does not say what kind of source it is (--effect).`, {
      hint: /\.(db|sqlite3?)(#|$)/.test(source) ? `Did you mean sqlite:${source}?` : `Write it as one of: ${forms()}.`,
    });
  }
  const meant = nearest(
    scheme,
    SOURCES.map((known) => known.scheme),
  );
  return new UserError('BAD_EFFECT', `There is no effect source called "${scheme}" (--effect "${shown}").`, {
    hint: meant ? `Did you mean ${meant}:?` : `Choose one of: ${forms()}.`,
  });
}

function forms(): string {
  return SOURCES.map(({ form }) => form).join(', ');
}

function distinctNames(parsed: readonly ParsedEffect[]): readonly string[] {
  const taken = new Set<string>();
  for (const { name } of parsed) {
    if (name === undefined) continue;
    if (taken.has(name)) {
      throw new UserError('DUPLICATE_EFFECT', `Two effects are called "${name}" (--effect).`, {
        hint: 'Give each its own name in front of the equals sign.',
      });
    }
    taken.add(name);
  }
  return parsed.map(({ name, source }) => {
    if (name !== undefined) return name;
    const free = freeName(source.defaultName, taken);
    taken.add(free);
    return free;
  });
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}-${number}`;
  return name;
}
