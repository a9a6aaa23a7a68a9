import type { Command } from 'commander';
import type { RawRequest } from '../model/event.ts';
import type { Secret, Verification } from '../model/sign.ts';
import type { Provider, SignatureScheme } from '../providers/provider.ts';
import { formatDuration } from '../support/duration.ts';
import { UserError } from '../support/errors.ts';
import type { Context, ExitCode, GlobalOptions } from './context.ts';
import { collect, defineCommand, optionsOf } from './define.ts';
import { readEnvironment } from './environment.ts';

type VerifyOptions = GlobalOptions & {
  readonly body?: string | undefined;
  readonly header?: readonly string[] | undefined;
  readonly provider?: string | undefined;
  readonly scheme?: string | undefined;
  readonly secret?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly at?: string | undefined;
};

export function registerVerify(program: Command, context: Context): void {
  const command = defineCommand(program, 'verify', {
    group: 'knowledge',
    summary: 'Say whether a request is signed right, and if not, why.',
    examples: [
      'verify request.http --secret env:STRIPE_WEBHOOK_SECRET',
      'verify request.http --secret env:OLD --secret env:NEW --at 2026-01-31T12:00:00Z',
      "verify --provider github --secret env:S --body @event.json -H 'X-Hub-Signature-256: sha256=...'",
    ],
    notes: ['Exit codes: 0 right, 1 wrong, 3 cannot tell.'],
  })
    .argument('[file]', 'a request as on the wire; - reads standard input')
    .optionsGroup('What came:')
    .option('--body <text>', 'instead of a file, the payload; @FILE reads a file, - standard input')
    .option('-H, --header <line>', "with --body: a header it came with, 'Name: value'; repeatable", collect)
    .option('--url <url>', 'the full URL as the sender called it, for schemes that cover it')
    .optionsGroup('How it should be signed:')
    .option('--provider <name>', 'who sent it; default: what is detected')
    .option('--secret <ref>', 'env:NAME, file:PATH, cmd:COMMAND or a literal; repeatable, one must fit', collect)
    .option('--scheme <json>', 'a signature scheme of your own (JSON or @FILE)')
    .option('--at <time>', 'check the age as if it were then (ISO-8601 or Unix time)')
    .action(async (file: string | undefined, _options, self: Command) => {
      context.exit(await verify(file, optionsOf<VerifyOptions>(self), context));
    });
  readEnvironment(command, ['provider', 'secret', 'scheme']);
}

async function verify(file: string | undefined, options: VerifyOptions, context: Context): Promise<ExitCode> {
  const { readSecrets, timeOption, urlOption, ownScheme } = await import('./signature-options.ts');
  const { verifySignature } = await import('../sign/verify-signature.ts');
  const { findProvider } = await import('../providers/list.ts');
  const { detectProvider } = await import('../providers/detect.ts');

  const own = options.scheme === undefined ? undefined : ownScheme(options.scheme, context);
  const request = await readRequest(file, options, context);
  const provider = options.provider === undefined ? detectProvider(request) : findProvider(options.provider);
  const scheme = own ?? (await schemeIn(provider, request));
  if (!scheme) return print({ provider, found: unsigned(provider), secrets: [] }, options, context);
  const secrets = await readSecrets(options.secret, context);
  const nowMs = timeOption(options.at, context);
  const found = verifySignature({ request, scheme, secrets, nowMs, url: urlOption(options.url) });
  return print({ provider, found, secrets }, options, context);
}

async function readRequest(file: string | undefined, options: VerifyOptions, context: Context): Promise<RawRequest> {
  const { readBodyOption, readFileArgument } = await import('./body-option.ts');
  const { parseRawHttp } = await import('../formats/raw-http.ts');
  const { setHeaders } = await import('../deliver/header-option.ts');
  if ((file === undefined) === (options.body === undefined)) {
    throw new UserError('USAGE', 'verify checks one request: a file of it, or --body with its headers.', {
      hint: "For example: webhook-replay verify request.http, or --body @event.json -H 'Name: value'.",
    });
  }
  if (file !== undefined) return parseRawHttp(await readFileArgument(file, context));
  const url = options.url === undefined || !URL.canParse(options.url) ? undefined : new URL(options.url);
  return {
    method: 'POST',
    path: url?.pathname ?? '/',
    query: url?.search ? url.search.slice(1) : null,
    headers: setHeaders(options.header ?? []),
    payload: await readBodyOption(options.body ?? '', context),
  };
}

/** The provider's scheme, or the older one when the request is signed with that alone. */
async function schemeIn(provider: Provider, { headers }: RawRequest): Promise<SignatureScheme | undefined> {
  const { hasHeader } = await import('../support/headers.ts');
  const schemes = [provider.signature, ...(provider.legacySignatures ?? [])];
  return schemes.find((scheme) => scheme && hasHeader(headers, scheme.header)) ?? provider.signature;
}

function unsigned({ id, name }: Provider): Verification {
  const reason = `"${id}" (${name}) has no signature: name the sender with --provider, or describe it with --scheme.`;
  return { kind: 'cannot-tell', reason };
}

type Checked = { readonly provider: Provider; readonly found: Verification; readonly secrets: readonly Secret[] };

const EXIT_CODES: Readonly<Record<Verification['kind'], ExitCode>> = {
  valid: 0,
  stale: 1,
  invalid: 1,
  'cannot-tell': 3,
};

function print({ provider, found, secrets }: Checked, { json }: GlobalOptions, { out }: Context): ExitCode {
  const { kind, ...details } = found;
  const reason = describe(found, secrets);
  const document = { schema: 'webhook-replay/verify/1', provider: provider.id, verdict: kind, ...details, reason };
  if (json) out.json(document);
  else out.write(`${kind.replace('-', ' ')}: ${reason}\n`);
  return EXIT_CODES[kind];
}

function describe(found: Verification, secrets: readonly Secret[]): string {
  switch (found.kind) {
    case 'valid': {
      const fingerprint = secrets.find(({ name }) => name === found.secret)?.fingerprint;
      return `Signed with "${found.secret}" (fingerprint ${fingerprint}).`;
    }
    case 'stale': {
      const age = formatDuration(Math.abs(found.ageSeconds) * 1000);
      const where = found.ageSeconds < 0 ? `${age} in the future` : `${age} old`;
      const tolerance = formatDuration(found.toleranceSeconds * 1000);
      return `The signature is right, but its timestamp is ${where}; receivers allow ${tolerance}. --at checks it as of another time.`;
    }
    default:
      return found.reason;
  }
}
