import { isIPv6 } from 'node:net';
import { messageOf, UserError } from '../support/errors.ts';

/** Where we listen: `9000`, `0.0.0.0:9000`, `[::1]:9000`. */
export type ListenAddress = {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
};

const LOOPBACK = '127.0.0.1';

/** `undefined` when it is none. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const [, bracketed, plain, number = ''] = /^(?:(?:\[([^\]]+)\]|([^\s:[\]]+)):)?(\d{1,5})$/.exec(text) ?? [];
  if (bracketed !== undefined && !isIPv6(bracketed)) return undefined;
  const port = Number(number);
  return number === '' || port > 65_535 ? undefined : { host: bracketed ?? plain ?? LOOPBACK, port };
}

/** `127.0.0.1:9000`, for a URL. What listens on every address is called by loopback. */
export function hostAndPort({ host, port }: ListenAddress): string {
  const callable = host === '0.0.0.0' ? LOOPBACK : host === '::' ? '::1' : host;
  return `${isIPv6(callable) ? `[${callable}]` : callable}:${port}`;
}

export function cannotListen(source: string, cause: unknown): UserError {
  return new UserError('CANNOT_LISTEN', `"${source}" cannot listen: ${messageOf(cause)}.`, {
    hint: 'Choose another port, or 0 for any free one.',
    cause,
  });
}
