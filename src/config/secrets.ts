import { exec } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Secret } from '../model/sign.ts';
import { messageOf, UserError } from '../support/errors.ts';
import type { Redactor } from '../support/redact.ts';

export type SecretSources = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Learns every value that is read. */
  readonly redactor: Redactor;
};

/** True for a secret that says where the secret is kept. */
export function isReference(secret: string): boolean {
  return /^(env|file|cmd):/.test(secret);
}

const COMMAND_MS = 10_000;

/**
 * Reads a secret: `env:NAME`, `file:PATH` (without the line break at its end), `cmd:COMMAND` (the first line it prints,
 * within 10 s), or a literal. One that is unset, unreadable or empty is a `UserError`.
 */
export async function readSecret(text: string, sources: SecretSources): Promise<Secret> {
  const { name, value } = await readValue(text, sources);
  if (value === '') throw unusable(name, 'is empty', 'Look at where it is kept.');
  sources.redactor.register(value);
  return { name, fingerprint: createHash('sha256').update(value).digest('hex').slice(0, 8), value };
}

type Named = { readonly name: string; readonly value: string };

async function readValue(text: string, sources: SecretSources): Promise<Named> {
  const [, kind, rest = ''] = /^(env|file|cmd):(.*)$/s.exec(text) ?? [];
  switch (kind) {
    case 'env':
      return { name: text, value: fromEnv(text, sources.env[rest]) };
    case 'file':
      return { name: text, value: await fromFile(text, resolve(sources.cwd, rest)) };
    case 'cmd':
      return { name: text, value: await fromCommand(text, { command: rest, ...sources }) };
    default:
      return { name: 'literal', value: text };
  }
}

function fromEnv(name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  const variable = name.slice('env:'.length);
  throw unusable(name, 'is not set', variable ? `Set the environment variable ${variable}.` : 'Write env:NAME.');
}

async function fromFile(name: string, path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    throw unusable(name, `cannot be read (${messageOf(error)})`, 'Check the path; it counts from the working folder.');
  }
}

type CommandSource = Pick<SecretSources, 'env' | 'cwd'> & { readonly command: string };

function fromCommand(name: string, { command, env, cwd }: CommandSource): Promise<string> {
  return new Promise((done, fail) => {
    const options = { cwd, env: { ...env }, timeout: COMMAND_MS, encoding: 'utf8', windowsHide: true } as const;
    const child = exec(command, options, (error, stdout, stderr) => {
      if (!error) return done(/^[^\r\n]*/.exec(stdout)?.[0] ?? '');
      const trouble = error.killed ? 'took longer than 10 s' : `ended with ${error.code ?? error.signal}`;
      const said = stderr.trim().split('\n')[0];
      fail(unusable(name, trouble, said ? `It said: ${said}` : 'Run the command by hand to see why.'));
    });
    child.stdin?.end();
  });
}

function unusable(name: string, trouble: string, hint: string): UserError {
  return new UserError('SECRET_UNUSABLE', `The secret "${name}" ${trouble}.`, { hint });
}
