import type { WebhookEvent } from '../model/event.ts';
import type { StoredRequest } from '../model/run.ts';
import type { Context, GlobalOptions } from './context.ts';
import { REPLAY_DEFAULTS, type ReplayOptions, type RunOptions } from './replay-flags.ts';
import { TEST_CONCURRENCY, type TestOptions } from './test-flags.ts';

type StoredOptions = RunOptions & Partial<ReplayOptions> & Partial<TestOptions> & Pick<GlobalOptions, 'corpus'>;

type Stored = { readonly events: readonly WebhookEvent[]; readonly options: StoredOptions; readonly context: Context };

/** More ids than this on a command line help nobody. */
const MOST_IDS = 8;

/** The words that ask for the same again. Selectors that mean another event tomorrow become ids; a literal secret becomes a variable to set. */
export function storedRequest(selectors: readonly string[], { events, options, context }: Stored): StoredRequest {
  const moves = selectors.some((selector) => /^last(:|$)/.test(selector));
  const fixed = moves && events.length <= MOST_IDS && selectors.every((selector) => /^last(:|$)/.test(selector));
  return {
    events: fixed ? events.map(({ id }) => id) : selectors,
    flags: flagsOf(options).map((word) => context.redactor.redact(word)),
  };
}

const LITERAL_SECRET = 'env:WEBHOOK_REPLAY_SECRET';

function flagsOf(options: StoredOptions): readonly string[] {
  const { to, provider, type, scheme, timeout, setup, reset, cacert, rounds, corpus } = options;
  return [
    ...one('--pattern', options.pattern),
    ...one('--to', to),
    ...one('--provider', provider),
    ...one('--type', type),
    ...many(
      '--secret',
      options.secret?.map((text) => (/^(env|file|cmd):/.test(text) ? text : LITERAL_SECRET)),
    ),
    ...one('--scheme', scheme),
    ...many('--effect', options.effect),
    ...many('--ignore', options.ignore),
    ...many('--fresh', options.fresh),
    ...many('--keep', options.keep),
    ...one('--rounds', rounds?.toString()),
    ...many('--only', options.only),
    ...many('--skip', options.skip),
    ...one('--start', options.start),
    ...one('--ready', options.ready),
    ...changed('--speed', 'speed', options),
    ...changed('--settle', 'settle', options),
    ...changed('--settle-max', 'settleMax', options),
    ...changed('--settle-first', 'settleFirst', options),
    ...changed('--max-skew', 'maxSkew', options),
    ...changed('--concurrency', 'concurrency', options),
    ...one('--timeout', timeout),
    ...one('--setup', setup),
    ...one('--reset', reset),
    ...one('--cacert', cacert),
    ...one('--corpus', corpus),
    ...many('-H', options.header),
    ...many('--allow-host', options.allowHost),
    ...many('--allow-header', options.allowHeader),
    ...switches(options),
  ];
}

function switches(options: StoredOptions): readonly string[] {
  const given: ReadonlyArray<readonly [string, boolean | undefined]> = [
    ['--ordered', options.ordered],
    ['--keep-signatures', options.keepSignatures],
    ['--keep-ids', options.keepIds],
    ['--new-ids', options.newIds],
    ['--insecure', options.insecure],
    ['--preserve-host', options.preserveHost],
    ['--force', options.force],
  ];
  return given.filter(([, on]) => on).map(([flag]) => flag);
}

function changed(flag: string, name: keyof typeof REPLAY_DEFAULTS, options: StoredOptions): readonly string[] {
  const usual = name === 'concurrency' && options.repeat !== undefined ? TEST_CONCURRENCY : REPLAY_DEFAULTS[name];
  return options[name] === undefined || options[name] === usual ? [] : [flag, String(options[name])];
}

function one(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [flag, value];
}

function many(flag: string, values: readonly string[] | undefined): readonly string[] {
  return (values ?? []).flatMap((value) => [flag, value]);
}
