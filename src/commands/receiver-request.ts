import { readSecret } from '../config/secrets.ts';
import type { Fault } from '../fixtures/receivers/faults/fault.ts';
import { FAULTS } from '../fixtures/receivers/faults/faults.ts';
import { MIN_KEEP_MS } from '../fixtures/receivers/layers/layers.ts';
import { renaming } from '../fixtures/receivers/names.ts';
import { isProviderName } from '../fixtures/receivers/signature.ts';
import { type Design, RECEIVERS, type StartOptions } from '../fixtures/receivers/start.ts';
import type { ProviderName } from '../fixtures/receivers/types.ts';
import type { Secret } from '../model/sign.ts';
import { findProvider } from '../providers/list.ts';
import { parseDuration } from '../support/duration.ts';
import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';
import type { Context } from './context.ts';
import { databasePlace } from './receiver-database.ts';
import type { ReceiverFlags } from './receiver-flags.ts';
import { queueOptions } from './receiver-queue.ts';

export type ReceiverRequest = {
  readonly design: Design;
  readonly fault: Fault | undefined;
  readonly provider: ProviderName | undefined;
  readonly secrets: readonly Secret[];
  /** The absolute path of a SQLite file, or a URL with its password. */
  readonly db: string;
  readonly start: StartOptions;
};

/** Turns the words of the command line into what starts a receiver. Whatever is wrong with them is a `UserError`. */
export async function readReceiverRequest(
  name: string | undefined,
  flags: ReceiverFlags,
  context: Context,
): Promise<ReceiverRequest> {
  const fault = flags.fault === undefined ? undefined : faultNamed(flags.fault);
  const design = designFor(name, fault);
  demandOwner(design, flags);
  const provider = flags.provider === undefined ? undefined : providerNamed(flags.provider);
  const secrets = await Promise.all((flags.secret ?? []).map((text) => readSecret(text, context)));
  if (secrets.length > 0) demandScheme(provider);
  if (fault) demandNeeds(fault, { provider, signed: secrets.length > 0 });
  const db = await databasePlace(flags.db, context);
  const start: StartOptions = {
    receiver: design.name,
    fault: fault?.id,
    port: flags.port,
    host: flags.host,
    db,
    provider,
    secrets: secrets.map(({ value }) => value),
    names: flags.rename === undefined ? undefined : renaming(flags.rename),
    call: await httpAddress(flags.call, '--call', context),
    api: await httpAddress(flags.api, '--api', context),
    ...(await queueOptions(flags, context)),
    ...behaviour(flags),
  };
  return { design, fault, provider, secrets, db, start };
}

function behaviour(flags: ReceiverFlags): Partial<StartOptions> {
  const duration = (text: string | undefined, flag: string) => (text === undefined ? 0 : parseDuration(text, flag));
  return {
    effectDelayMs: duration(flags.effectDelay, '--effect-delay'),
    callDelayMs: duration(flags.callDelay, '--call-delay'),
    rows: flags.dbRows ? (flags.totalOnly ? 'total' : 'all') : 'none',
    answers: flags.answers,
    bufferMs: duration(flags.buffer, '--buffer'),
    keepReceiptsMs: flags.keepReceipts === undefined ? undefined : keepTime(flags.keepReceipts),
  };
}

/** A flag that only some designs can read would else be ignored without a word. */
function demandOwner({ name }: Design, flags: ReceiverFlags): void {
  const { buffer, keepReceipts, api, queue, queueConfig, adminToken, totalOnly, dbRows } = flags;
  const owned = [
    ['--buffer', buffer, 'layers'],
    ['--keep-receipts', keepReceipts, 'layers'],
    ['--api', api, 'ground-truth'],
    ['--queue', queue, 'queue'],
    ['--queue-config', queueConfig, 'queue'],
    ['--admin-token', adminToken, 'queue'],
  ] as const;
  for (const [flag, value, owner] of owned) {
    if (value === undefined || name === owner) continue;
    throw new UserError('FLAG_DOES_NOT_FIT', `The receiver "${name}" has no use for ${flag}.`, {
      hint: `This one has: ${owner}.`,
    });
  }
  if (name === 'ground-truth' && (totalOnly || !dbRows)) {
    throw new UserError('ROWS_NEEDED', 'The receiver "ground-truth" knows by its rows what it has done already.', {
      hint: 'Leave --total-only and --no-db-rows away.',
    });
  }
}

function keepTime(text: string): number {
  const keepMs = parseDuration(text, '--keep-receipts');
  if (keepMs >= MIN_KEEP_MS) return keepMs;
  throw new UserError('RECEIPTS_TOO_SHORT', `"${text}" is too short for receipts (--keep-receipts).`, {
    hint: 'Senders let people send an event again for 30 days: 30d or more.',
  });
}

function designFor(name: string | undefined, fault: Fault | undefined): Design {
  const names = RECEIVERS.map((design) => design.name);
  const wanted = name ?? fault?.base;
  const design = RECEIVERS.find((candidate) => candidate.name === wanted);
  if (wanted === undefined) {
    throw new UserError('NO_RECEIVER', 'No receiver was named.', { hint: `Name one of: ${names.join(', ')}.` });
  }
  if (!design) {
    throw new UserError('UNKNOWN_RECEIVER', `There is no receiver called "${wanted}".`, {
      hint: suggestion(wanted, names),
    });
  }
  if (fault && !design.takes(fault)) {
    const able = RECEIVERS.filter((candidate) => candidate.takes(fault)).map((candidate) => candidate.name);
    throw new UserError('FAULT_DOES_NOT_FIT', `The receiver "${design.name}" cannot have the fault "${fault.id}".`, {
      hint: `These can: ${able.join(', ')}.`,
    });
  }
  return design;
}

function faultNamed(id: string): Fault {
  const found = FAULTS.find((fault) => fault.id === id);
  if (found) return found;
  const ids = FAULTS.map((fault) => fault.id);
  throw new UserError('UNKNOWN_FAULT', `There is no fault called "${id}".`, { hint: suggestion(id, ids) });
}

function suggestion(word: string, words: readonly string[]): string {
  const near = nearest(word, words);
  return near ? `Did you mean "${near}"?` : `Choose one of: ${words.join(', ')}.`;
}

function providerNamed(name: string): ProviderName {
  const { id } = findProvider(name);
  if (isProviderName(id)) return id;
  throw new UserError('PROVIDER_NOT_SERVED', `The reference receivers do not take events of "${id}".`, {
    hint: 'Leave --provider and --secret away, or write a receiver of your own.',
  });
}

function demandScheme(provider: ProviderName | undefined): void {
  if (provider !== undefined && provider !== 'generic') return;
  throw new UserError('NO_SCHEME', 'A secret was given, but not how it signs (--provider).', {
    hint: 'Add --provider stripe, github, shopify, standard-webhooks, svix or generic-hmac.',
  });
}

/** A fault in checking signatures shows only where signatures are checked. */
function demandNeeds(
  { id, needs }: Fault,
  { provider, signed }: { readonly provider: ProviderName | undefined; readonly signed: boolean },
): void {
  if (needs === undefined) return;
  const signsTime = provider === 'stripe' || provider === 'svix' || provider === 'standard-webhooks';
  if (signed && (needs === 'secret' || signsTime)) return;
  const hint =
    needs === 'secret'
      ? 'Add --provider and --secret.'
      : 'Add --secret, and --provider stripe, svix or standard-webhooks: these sign the time.';
  throw new UserError('FAULT_WOULD_NOT_SHOW', `Without a secret to check, the fault "${id}" would not show.`, { hint });
}

/** Behind `env:NAME`, `test --intercept NAME` can stand in between. */
async function httpAddress(flag: string | undefined, name: string, context: Context): Promise<URL | undefined> {
  if (flag === undefined) return undefined;
  const text = flag.startsWith('env:') ? (await readSecret(flag, context)).value : flag;
  const url = URL.parse(text);
  if (url?.protocol === 'http:') return url;
  throw new UserError('BAD_URL', `"${flag}" is no http address (${name}).`, {
    hint: 'Write it like http://127.0.0.1:4000/shipments.',
  });
}
