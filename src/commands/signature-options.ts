import { readSecret } from '../config/secrets.ts';
import type { Secret } from '../model/sign.ts';
import type { SignatureScheme } from '../providers/provider.ts';
import { isoOf } from '../providers/time.ts';
import { templateScheme } from '../sign/template-scheme.ts';
import { messageOf, UserError } from '../support/errors.ts';
import type { Context } from './context.ts';
import { readNamedFile } from './read-file.ts';

/** The scheme of `--scheme`: JSON, or a file of it as `@FILE`. */
export function ownScheme(text: string, context: Pick<Context, 'cwd'>): SignatureScheme {
  const source = text.startsWith('@') ? readNamedFile(text.slice(1), context, '--scheme').toString('utf8') : text;
  try {
    return templateScheme(JSON.parse(source) as unknown);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError('BAD_SCHEME', `--scheme is not JSON: ${messageOf(error)}`, {
      hint: `Write it like --scheme '{"header":"X-Signature","content":"{body}"}', or --scheme @FILE.`,
    });
  }
}

/** All secrets of `--secret`, in the order given; at least one. */
export async function readSecrets(references: readonly string[] = [], context: Context): Promise<readonly Secret[]> {
  const secrets: Secret[] = [];
  for (const reference of references) secrets.push(await readSecret(reference, context));
  if (secrets.length > 0) return secrets;
  throw new UserError('NO_SECRET', 'There is no secret.', {
    hint: 'Pass it with --secret env:NAME (or file:PATH, cmd:COMMAND, or the text of a test secret).',
  });
}

/** @returns epoch milliseconds of `--at`, else of now */
export function timeOption(text: string | undefined, { clock }: Context): number {
  if (text === undefined) return clock.epochMs();
  const iso = isoOf(text);
  if (iso !== undefined) return Date.parse(iso);
  throw new UserError('BAD_TIME', `"${text}" is not a time (--at).`, {
    hint: 'Write it like 2026-01-31T12:00:00Z, or as Unix seconds.',
  });
}

export function urlOption(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  if (URL.canParse(text) && /^https?:/i.test(text)) return new URL(text);
  throw new UserError('BAD_URL', `"${text}" is not an http or https URL (--url).`, {
    hint: 'Write it whole, as the sender calls it: https://example.test/hooks?a=1',
  });
}
