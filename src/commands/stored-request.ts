import { isReference } from '../config/secrets.ts';
import type { WebhookEvent } from '../model/event.ts';
import type { StoredRequest } from '../model/run.ts';
import type { Context, GivenFlag, GlobalOptions } from './context.ts';

type Stored = {
  readonly events: readonly WebhookEvent[];
  readonly options: Pick<GlobalOptions, 'given'>;
  readonly context: Pick<Context, 'redactor'>;
};

/** More ids than this on a command line help nobody. */
const MOST_IDS = 8;

/** The words that ask for the same again. Selectors that mean another event tomorrow become ids; a literal secret becomes a variable to set. */
export function storedRequest(selectors: readonly string[], { events, options, context }: Stored): StoredRequest {
  const moves = selectors.some((selector) => /^last(:|$)/.test(selector));
  const fixed = moves && events.length <= MOST_IDS && selectors.every((selector) => /^last(:|$)/.test(selector));
  const { given = [] } = options;
  return {
    events: fixed ? events.map(({ id }) => id) : selectors,
    flags: given.flatMap(wordsOf).map((word) => context.redactor.redact(word)),
  };
}

/** The seed is in the run itself, events are named by ids; the others change what is shown and not what is done. */
const NOT_REPEATED = new Set([
  '--event',
  '--seed',
  '--json',
  '--quiet',
  '--verbose',
  '--no-color',
  '--no-input',
  '--dry-run',
  '--list',
  '--reporter',
]);

const LITERAL_SECRET = 'env:WEBHOOK_REPLAY_SECRET';

function speakable(flag: string, value: string): string {
  if (flag === '--secret' && !isReference(value)) return LITERAL_SECRET;
  // The URL of a dependency holds its password; the variable's name is enough where it is set.
  return flag === '--intercept' ? value.replace(/=.*@.*$/s, '') : value;
}

function wordsOf({ flag, value }: GivenFlag): readonly string[] {
  if (NOT_REPEATED.has(flag)) return [];
  if (value === undefined) return [flag];
  return [flag, speakable(flag, value)];
}
