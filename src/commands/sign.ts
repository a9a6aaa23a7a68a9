import type { Command } from 'commander';
import type { Headers } from '../model/event.ts';
import type { Secret } from '../model/sign.ts';
import type { Provider } from '../providers/provider.ts';
import { UserError } from '../support/errors.ts';
import type { Context, GlobalOptions } from './context.ts';
import { collect, defineCommand, optionsOf } from './define.ts';
import { readEnvironment } from './environment.ts';

type SignOptions = GlobalOptions & {
  readonly body?: string | undefined;
  readonly provider?: string | undefined;
  readonly scheme?: string | undefined;
  readonly secret?: readonly string[] | undefined;
  readonly type?: string | undefined;
  readonly header?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly at?: string | undefined;
};

export function registerSign(program: Command, context: Context): void {
  const command = defineCommand(program, 'sign', {
    group: 'knowledge',
    summary: 'Print the headers of a payload, signed as its sender does.',
    examples: [
      'sign --provider stripe --secret env:STRIPE_WEBHOOK_SECRET --body @event.json',
      'sign --provider github --type issues.opened --secret file:secret.txt --body - < event.json',
      `sign --scheme '{"header":"X-Sig","content":"{path}.{body}"}' --url https://app.test/hooks --secret test --body '{}'`,
    ],
  })
    .optionsGroup('What is signed:')
    .option('--body <text>', 'the payload; @FILE reads a file, - standard input')
    .option('--type <name>', "the event's type, where the sender puts it in a header")
    .option('-H, --header <line>', "'Name: value' adds or replaces, 'Name:' removes; repeatable", collect)
    .option('--url <url>', 'where it goes, for schemes that cover it')
    .optionsGroup('How:')
    .option('--provider <name>', 'whose signature; default: what is detected from the body')
    .option('--secret <ref>', 'env:NAME, file:PATH, cmd:COMMAND or a literal; repeatable for rotation', collect)
    .option('--scheme <json>', 'a signature scheme of your own (JSON or @FILE)')
    .option('--at <time>', 'sign as if it were then (ISO-8601 or Unix time)')
    .action(async (_options, self: Command) => {
      await sign(optionsOf<SignOptions>(self), context);
    });
  readEnvironment(command, ['provider', 'secret', 'scheme']);
}

async function sign(options: SignOptions, context: Context): Promise<void> {
  const { readBodyOption } = await import('./body-option.ts');
  const { readSecrets, timeOption, urlOption, ownScheme } = await import('./signature-options.ts');
  const { createSigner } = await import('../sign/create-signer.ts');

  if (options.body === undefined) {
    throw new UserError('NO_BODY', 'There is nothing to sign.', { hint: 'Pass it with --body TEXT, @FILE or -.' });
  }
  const own = options.scheme === undefined ? undefined : ownScheme(options.scheme, context);
  const payload = await readBodyOption(options.body, context);
  const provider = await providerOf(options, payload);
  const scheme = own ?? provider.signature ?? unsigned(provider);
  const secrets = await readSecrets(options.secret, context);
  const url = urlOption(options.url) ?? (coversUrl(scheme.content) ? noUrl() : new URL('http://localhost/'));
  const signer = createSigner({ scheme, secrets });
  const nowMs = timeOption(options.at, context);
  const headers = await bareHeaders({ provider, payload, nowMs, options });
  const used = scheme.join === null ? secrets.slice(0, 1) : secrets;
  print(
    { provider, headers: signer({ method: 'POST', url, headers, payload, nowMs }), secrets: used },
    options,
    context,
  );
  if (used.length < secrets.length && !options.quiet) {
    context.err.write('Only the first secret signed: this scheme carries one signature.\n');
  }
}

async function providerOf({ provider, scheme }: SignOptions, payload: Uint8Array): Promise<Provider> {
  const { findProvider } = await import('../providers/list.ts');
  const { detectProvider } = await import('../providers/detect.ts');
  if (provider !== undefined) return findProvider(provider);
  return scheme === undefined ? detectProvider({ headers: [], payload }) : findProvider('generic');
}

type Bare = {
  readonly provider: Provider;
  readonly payload: Uint8Array;
  readonly nowMs: number;
  readonly options: SignOptions;
};

async function bareHeaders({ provider, payload, nowMs, options }: Bare): Promise<Headers> {
  const { requiredHeaders } = await import('../providers/required-headers.ts');
  const { parseHeaderOption } = await import('../deliver/header-option.ts');
  const { uniqueUuid } = await import('../support/random.ts');
  const changes = (options.header ?? []).map(parseHeaderOption);
  const given = changes.flatMap((change) => (change.kind === 'set' ? [[change.name, change.value] as const] : []));
  const removed = new Set(changes.flatMap(({ kind, name }) => (kind === 'remove' ? [name.toLowerCase()] : [])));
  const all = requiredHeaders(provider, { payload, nowMs, type: options.type, uuid: uniqueUuid, headers: given });
  return all.filter(([name]) => !removed.has(name.toLowerCase()));
}

type Signed = { readonly provider: Provider; readonly headers: Headers; readonly secrets: readonly Secret[] };

/** Exact bytes, past the redactor: a short test secret is also a part of ordinary words, and a header must come out whole. */
function print({ provider, headers, secrets }: Signed, { json, quiet }: SignOptions, { out, err }: Context): void {
  const names = secrets.map(({ name, fingerprint }) => ({ name, fingerprint }));
  if (json) {
    const document = { schema: 'webhook-replay/sign/1', provider: provider.id, headers, secrets: names };
    out.writeBytes(Buffer.from(`${JSON.stringify(document, null, 2)}\n`));
  } else {
    out.writeBytes(Buffer.from(headers.map(([name, value]) => `${name}: ${value}\n`).join(''), 'latin1'));
  }
  if (quiet) return;
  err.write(
    `Signed with ${names.map(({ name, fingerprint }) => `"${name}" (fingerprint ${fingerprint})`).join(', ')}.\n`,
  );
}

function coversUrl(content: string): boolean {
  return /\{(url|path|query)\}/.test(content);
}

function noUrl(): never {
  throw new UserError('NO_URL', 'This scheme covers the URL, and none was given.', {
    hint: 'Pass it with --url, as the sender calls it.',
  });
}

function unsigned({ id, name }: Provider): never {
  throw new UserError('NOT_SIGNED', `"${id}" (${name}) is not signed.`, {
    hint: 'Name who signs with --provider (webhook-replay providers lists them), or describe it with --scheme.',
  });
}
