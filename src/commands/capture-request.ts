import type { Reply } from '../capture/reply.ts';
import type { CaptureRequest } from '../capture/start-capture.ts';
import type { EndConditions } from '../capture/wait-for-end.ts';
import { parseHeaderOption } from '../deliver/header-option.ts';
import type { Header } from '../model/event.ts';
import { findProvider } from '../providers/list.ts';
import { parseBytes } from '../support/bytes.ts';
import { parseDuration } from '../support/duration.ts';
import { UserError } from '../support/errors.ts';
import { hasHeader } from '../support/headers.ts';
import type { CaptureOptions } from './capture-options.ts';
import type { Context } from './context.ts';
import { readNamedFile } from './read-file.ts';

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
    port: options.port,
    limitBytes: limitOf(options.limit),
    provider: options.provider === undefined ? undefined : findProvider(options.provider).id,
    tags: options.tag ?? [],
  };
  const ends = {
    exitAfter: options.exitAfter,
    idleMs: options.exitOnIdle === undefined ? undefined : parseDuration(options.exitOnIdle, '--exit-on-idle'),
  };
  if (options.forward === undefined) {
    const reply = fixedReply(options, context);
    return { request: { ...request, policy: { kind: 'fixed', reply } }, ends, closeSender: async () => {} };
  }
  // It brings the HTTP client along, which a capture that only answers does not need.
  const { forwardTo } = await import('./capture-forward.ts');
  const { forward, close } = await forwardTo(options.forward, options, context);
  return { request: { ...request, policy: { kind: 'forward', forward } }, ends, closeSender: close };
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

function fixedReply({ status = 200, ...options }: CaptureOptions, context: Context): Reply {
  const body = bodyOf(options.body ?? '', context);
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

function bodyOf(text: string, context: Context): Uint8Array {
  return text.startsWith('@') ? readNamedFile(text.slice(1), context, '--body') : Buffer.from(text, 'utf8');
}
