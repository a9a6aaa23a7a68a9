import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Forward } from '../capture/forward.ts';
import { isLoopback } from '../deliver/loopback-guard.ts';
import { outgoingHeaders } from '../deliver/outgoing-headers.ts';
import { parseReceiver, requestTarget, requestUrl } from '../deliver/receiver-url.ts';
import { createSender } from '../deliver/sender.ts';
import { parseDuration } from '../support/duration.ts';
import { messageOf, UserError } from '../support/errors.ts';
import type { CaptureOptions } from './capture-options.ts';
import type { Context } from './context.ts';
import { permitHost } from './permit-host.ts';

/** Deliveries come in as fast as senders send; each open forward holds one connection. */
const CONNECTIONS = 256;

/** @throws UserError when the URL is none, or its host may not get deliveries */
export async function forwardTo(
  url: string,
  options: CaptureOptions,
  context: Context,
): Promise<{ readonly forward: Forward; readonly close: () => Promise<void> }> {
  const receiver = parseReceiver(url);
  const origin = new URL(receiver.origin);
  await permitHost({ url: origin, what: 'each delivery that comes in' }, options, { context });
  const choices = {
    changes: [],
    preserveHost: options.preserveHost ?? false,
    loopback: isLoopback(origin),
    allowedCredentials: options.allowHeader ?? [],
  };
  const sender = createSender({
    clock: context.clock,
    connections: CONNECTIONS,
    insecure: options.insecure ?? false,
    ca: options.cacert === undefined ? undefined : readAuthorities(options.cacert, context.cwd),
  });
  const forward: Forward = {
    send: sender.send,
    origin,
    timeoutMs: parseDuration(options.timeout ?? '60s', '--timeout'),
    prepare: (request) => {
      const target = requestTarget(receiver, request.path, request.query);
      return { url: requestUrl(receiver, target), target, ...outgoingHeaders(request.headers, choices) };
    },
  };
  return { forward, close: sender.close };
}

function readAuthorities(file: string, cwd: string): Uint8Array {
  try {
    return readFileSync(resolve(cwd, file));
  } catch (error) {
    throw new UserError('CACERT_FILE', `The file "${file}" (--cacert) cannot be read: ${messageOf(error)}.`, {
      hint: 'Give a file with one or more certificates in PEM form.',
      cause: error,
    });
  }
}
