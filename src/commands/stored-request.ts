import type { WebhookEvent } from '../model/event.ts';
import type { StoredRequest } from '../model/run.ts';
import type { Context } from './context.ts';
import type { ReplayOptions, RunOptions } from './replay-flags.ts';
import type { TestOptions } from './test-flags.ts';

type StoredOptions = RunOptions & Partial<ReplayOptions> & Partial<TestOptions>;

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
  const { to, provider, type, scheme, timeout, setup, reset, speed, cacert, rounds } = options;
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
    ...one('--speed', speed === '1x' ? undefined : speed),
    ...one('--settle', options.settle === '500ms' ? undefined : options.settle),
    ...one('--settle-max', options.settleMax === '30s' ? undefined : options.settleMax),
    ...one('--settle-first', options.settleFirst === '5s' ? undefined : options.settleFirst),
    ...one('--concurrency', options.concurrency === 10 ? undefined : String(options.concurrency)),
    ...one('--timeout', timeout),
    ...one('--setup', setup),
    ...one('--reset', reset),
    ...one('--cacert', cacert),
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

function one(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [flag, value];
}

function many(flag: string, values: readonly string[] | undefined): readonly string[] {
  return (values ?? []).flatMap((value) => [flag, value]);
}
