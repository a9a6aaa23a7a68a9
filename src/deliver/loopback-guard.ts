import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { UserError } from '../support/errors.ts';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
LOOPBACK.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');
// The unspecified addresses connect to this machine.
LOOPBACK.addAddress('0.0.0.0', 'ipv4');
LOOPBACK.addAddress('::', 'ipv6');

/** True when a request to this URL cannot leave the machine. Names below `localhost` are, since `lookupHost` never asks a resolver for them. */
export function isLoopback(url: URL): boolean {
  const host = hostOf(url);
  if (isIPv4(host)) return LOOPBACK.check(host, 'ipv4');
  if (isIPv6(host)) return LOOPBACK.check(host, 'ipv6');
  return isLocalhostName(host);
}

/** `localhost`, `app.localhost`, with or without the root's dot (RFC 6761 section 6.3). */
export function isLocalhostName(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host);
}

/** The host without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Lets loopback pass, and other hosts that the user named with `--allow-host` (`HOST` or `HOST:PORT`, no wildcards). */
export function guardHost(url: URL, allowed: readonly string[]): void {
  if (isLoopback(url)) return;
  const names = [url.hostname, hostOf(url), url.host].map((name) => name.toLowerCase());
  if (allowed.some((name) => names.includes(name.toLowerCase()))) return;
  throw new UserError('HOST_NOT_ALLOWED', `"${url.host}" is not on this machine; nothing was sent.`, {
    hint: `If it is a test system of yours, add --allow-host ${url.hostname}.`,
  });
}
