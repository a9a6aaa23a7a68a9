import { guardHost } from '../deliver/loopback-guard.ts';
import { parseReceiver, requestUrl } from '../deliver/receiver-url.ts';
import { isOpen, socketOpener } from '../deliver/wire/open-socket.ts';
import { UserError } from '../support/errors.ts';
import type { Context } from './context.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import { type Check, checked, notChecked, ok } from './doctor-check.ts';
import { readNamedFile } from './read-file.ts';

const PATIENCE_MS = 5000;

/** Opens a connection as a delivery would, and sends nothing over it. */
export function checkReceiver(options: DeliveryOptions, context: Context): Promise<Check> {
  return checked('receiver', async () => {
    if (options.to === undefined) return notChecked('receiver', 'No receiver was named; give --to.');
    const receiver = parseReceiver(options.to);
    const url = requestUrl(receiver, receiver.path ?? '/');
    guardHost(url, options.allowHost ?? []);
    const ca = options.cacert === undefined ? undefined : readNamedFile(options.cacert, context, '--cacert');
    const openSocket = socketOpener({ insecure: options.insecure ?? false, ca });
    const limit = new AbortController();
    const opened = await Promise.race([openSocket(url, { signal: limit.signal }), tooLate(limit.signal, context)]);
    limit.abort();
    if (opened === undefined) {
      throw unreachable(`No connection to ${url.host} came to be within 5 s.`, 'Is a firewall in between?');
    }
    if (!isOpen(opened)) throw unreachable(opened.detail, 'Start it, or correct --to.');
    const address = `${opened.remoteAddress} port ${opened.remotePort}`;
    opened.destroy();
    return ok('receiver', `${receiver.display} takes connections (${address}).`);
  });
}

async function tooLate(signal: AbortSignal, { clock }: Context): Promise<undefined> {
  await clock.sleep(PATIENCE_MS, signal);
}

function unreachable(message: string, hint: string): UserError {
  return new UserError('UNREACHABLE', message, { hint, exitCode: 3 });
}
