import { lookup } from 'node:dns';
import { connect, isIP, type LookupFunction, type OnReadOpts, type Socket } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext, connect as tlsConnect } from 'node:tls';
import { hostOf, isLocalhostName } from '../loopback-guard.ts';
import { connectFailure, type NoResponse } from '../no-response.ts';

export type TlsChoices = {
  /** Take any certificate. */
  readonly insecure: boolean;
  /** PEM of authorities to trust beside the usual ones. */
  readonly ca?: Uint8Array | undefined;
};

export type OpenOptions = {
  /** Destroying early is up to this: then the outcome means nothing. */
  readonly signal?: AbortSignal | undefined;
  /** Gets what comes in, instead of `data` events; the bytes are overwritten by the next ones. Not over TLS. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined;
};

/** A connection ready for HTTP/1.1, or why there is none. */
export type OpenSocket = (url: URL, options?: OpenOptions) => Promise<Socket | NoResponse>;

const READ_BYTES = 16 * 1024;

/** One way to open connections, for every sender: same names, addresses, certificates, messages. */
export function socketOpener(tls: TlsChoices): OpenSocket {
  let context: SecureContext | undefined;
  return (url, { signal, onBytes } = {}) => {
    const target = { host: hostOf(url), port: Number(url.port) || (isSecure(url) ? 443 : 80) };
    const options = { ...target, lookup: lookupHost, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1000 };
    if (!isSecure(url)) {
      const onread = onBytes && readInto(Buffer.allocUnsafe(READ_BYTES), onBytes);
      return whenOpen(connect(onread ? { ...options, onread } : options), { ready: 'connect', url, signal });
    }
    // Reading the root certificates takes milliseconds: once, not per connection.
    context ??= createSecureContext(tls.ca ? { ca: [...rootCertificates, Buffer.from(tls.ca)] } : {});
    const socket = tlsConnect({
      ...options,
      secureContext: context,
      rejectUnauthorized: !tls.insecure,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(target.host) ? {} : { servername: target.host }),
    });
    return whenOpen(socket, { ready: 'secureConnect', url, signal });
  };
}

export function isSecure(url: URL): boolean {
  return url.protocol === 'https:';
}

function readInto(buffer: Buffer, onBytes: (bytes: Buffer) => void): OnReadOpts {
  const callback = (length: number) => {
    onBytes(buffer.subarray(0, length));
    return true;
  };
  return { buffer, callback };
}

export function isOpen(opened: Socket | NoResponse): opened is Socket {
  return !('kind' in opened);
}

type Opening = {
  readonly ready: 'connect' | 'secureConnect';
  readonly url: URL;
  readonly signal: AbortSignal | undefined;
};

function whenOpen(socket: Socket, { ready, url, signal }: Opening): Promise<Socket | NoResponse> {
  return new Promise((resolve) => {
    const stop = () => socket.destroy(new Error('given up'));
    const fail = (error: Error) => finish(connectFailure(url, error));
    const finish = (result: Socket | NoResponse) => {
      signal?.removeEventListener('abort', stop);
      socket.off('error', fail);
      // Whoever takes the socket listens itself; a late error of a failed one means nothing any more.
      if (!isOpen(result)) socket.on('error', () => {});
      resolve(result);
    };
    socket.on('error', fail);
    socket.once(ready, () => {
      socket.setNoDelay(true);
      finish(socket);
    });
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Names below `localhost` are this machine without asking anyone, on both families: receivers often listen on only one. */
const lookupHost: LookupFunction = (hostname, options, callback) => {
  if (!isLocalhostName(hostname)) {
    lookup(hostname, options, callback);
    return;
  }
  if (options.all) callback(null, LOOPBACK_ADDRESSES);
  else callback(null, '127.0.0.1', 4);
};

const LOOPBACK_ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
