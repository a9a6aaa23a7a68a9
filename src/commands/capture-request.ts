import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Forward } from '../capture/forward.ts';
import type { AnswerPolicy } from '../capture/handle-delivery.ts';
import type { Reply } from '../capture/reply.ts';
import type { CaptureRequest } from '../capture/start-capture.ts';
import type { EndConditions } from '../capture/wait-for-end.ts';
import { parseHeaderOption } from '../deliver/header-option.ts';
import type { Header } from '../model/event.ts';
import { findProvider } from '../providers/list.ts';
import { parseBytes } from '../support/bytes.ts';
import { parseDuration } from '../support/duration.ts';
import { messageOf, UserError } from '../support/errors.ts';
import { hasHeader } from '../support/headers.ts';
import { forwardTo } from './capture-forward.ts';
import type { CaptureOptions } from './capture-options.ts';
import type { Context } from './context.ts';

export type CapturePlan = {
  readonly request: CaptureRequest;
  readonly ends: Omit<EndConditions, 'interrupted'>;
  readonly closeSender: () => Promise<void>;
};

/** A body is one value in SQLite, which takes at most 1 GB, and stands in memory while it comes. */
const MAX_LIMIT = 512 * 1024 ** 2;

/** @throws UserError for each flag that cannot be used */
export async function readCaptureOptions(options: CaptureOptions, context: Context): Promise<CapturePlan> {
  refuseUselessFlags(options);
  const request = {
    host: options.host,
    port: wholeNumber(options.port, { flag: '--port', min: 0, max: 65_535 }),
    limitBytes: limitOf(options.limit),
    provider: options.provider === undefined ? undefined : findProvider(options.provider).id,
    tags: options.tag ?? [],
  };
  const ends = {
    exitAfter: optional(options.exitAfter, (text) => wholeNumber(text, { flag: '--exit-after', min: 1, max: 2 ** 53 })),
    idleMs: optional(options.exitOnIdle, (text) => parseDuration(text, '--exit-on-idle')),
  };
  if (options.forward === undefined) {
    const policy: AnswerPolicy = { kind: 'fixed', reply: fixedReply(options, context.cwd) };
    return { request: { ...request, policy }, ends, closeSender: async () => {} };
  }
  const { forward, close } = await forwardTo(options.forward, options, context);
  return { request: { ...request, policy: policyOf(forward) }, ends, closeSender: close };
}

function policyOf(forward: Forward): AnswerPolicy {
  return { kind: 'forward', forward };
}

const ONLY_WITHOUT_FORWARD = ['status', 'body', 'header'] as const;
const ONLY_WITH_FORWARD = ['timeout', 'preserveHost', 'allowHost', 'allowHeader', 'cacert', 'insecure'] as const;

/** A flag that would change nothing is a misunderstanding, told before it costs a debugging session. */
function refuseUselessFlags(options: CaptureOptions): void {
  const forwards = options.forward !== undefined;
  for (const name of forwards ? ONLY_WITHOUT_FORWARD : ONLY_WITH_FORWARD) {
    if (options[name] === undefined) continue;
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw forwards
      ? new UserError('FLAG_WITHOUT_USE', `With --forward the receiver answers, so ${flag} would change nothing.`, {
          hint: `Leave out ${flag}, or --forward.`,
        })
      : new UserError('FLAG_WITHOUT_USE', `Nothing is passed on without --forward, so ${flag} would change nothing.`, {
          hint: `Add --forward URL, or leave out ${flag}.`,
        });
  }
}

function limitOf(text: string): number {
  const bytes = parseBytes(text, '--limit');
  if (bytes >= 1 && bytes <= MAX_LIMIT) return bytes;
  throw new UserError('BAD_LIMIT', `"${text}" cannot be the limit of a body (--limit).`, {
    hint: 'Give a size from 1 byte to 512mb.',
  });
}

function fixedReply(options: CaptureOptions, cwd: string): Reply {
  const status = wholeNumber(options.status ?? '200', { flag: '--status', min: 200, max: 599 });
  const body = bodyOf(options.body ?? '', cwd);
  const own = (options.header ?? []).map(headerOf);
  const typed = body.length === 0 || hasHeader(own, 'content-type');
  const headers = typed ? own : [['Content-Type', 'text/plain; charset=utf-8'] as const, ...own];
  return { by: 'capture', status, headers, body };
}

function headerOf(line: string): Header {
  const change = parseHeaderOption(line);
  if (change.kind === 'set') return [change.name, change.value];
  throw new UserError('HEADER_WITHOUT_VALUE', `-H "${line}" has no value.`, {
    hint: `Write -H '${change.name}: value', or '${change.name};' for an empty one.`,
  });
}

function bodyOf(text: string, cwd: string): Uint8Array {
  if (!text.startsWith('@')) return Buffer.from(text, 'utf8');
  try {
    return readFileSync(resolve(cwd, text.slice(1)));
  } catch (error) {
    throw new UserError('BODY_FILE', `The file of --body "${text}" cannot be read: ${messageOf(error)}.`, {
      hint: 'Check the path behind the @.',
      cause: error,
    });
  }
}

type Range = { readonly flag: string; readonly min: number; readonly max: number };

function wholeNumber(text: string, { flag, min, max }: Range): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  const range = max > 2 ** 31 ? `from ${min}` : `from ${min} to ${max}`;
  throw new UserError('BAD_NUMBER', `"${text}" is not a number for ${flag}.`, {
    hint: `Give a whole number ${range}.`,
  });
}

function optional<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  return text === undefined ? undefined : read(text);
}
