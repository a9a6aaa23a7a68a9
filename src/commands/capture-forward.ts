import type { Forward } from '../capture/forward.ts';
import { isLoopback } from '../deliver/loopback-guard.ts';
import { outgoingHeaders } from '../deliver/outgoing-headers.ts';
import { parseReceiver, requestTarget, requestUrl } from '../deliver/receiver-url.ts';
import { createSender } from '../deliver/sender.ts';
import { parseDuration } from '../support/duration.ts';
import type { CaptureOptions } from './capture-options.ts';
import type { Context } from './context.ts';
import { permitHost } from './permit-host.ts';
import { readNamedFile } from './read-file.ts';

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
  await permitHost({ url: origin, what: 'deliveries' }, options, { context });
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
    ca: options.cacert === undefined ? undefined : readNamedFile(options.cacert, context, '--cacert'),
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
