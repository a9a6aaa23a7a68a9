import { hostname, networkInterfaces } from 'node:os';

export type Listening = { readonly host: string; readonly port: number };

/** Would a request to this URL come straight back to the server that listens there? Names of this machine are all one. */
export function isOwnAddress(url: URL, { host, port }: Listening): boolean {
  if (portOf(url) !== port) return false;
  const name = bare(url.hostname);
  return name === bare(host) || isLocalName(name) || localAddresses().includes(name);
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

/** URL has already written 127.1, 0x7f000001 and the like as dotted quads, and mapped addresses in hex. */
function isLocalName(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === hostname().toLowerCase()) return true;
  return /^(127(\.\d+){3}|0\.0\.0\.0|::1?|::ffff:(7f[0-9a-f]{2}:[0-9a-f]{1,4}|0:0))$/.test(name);
}

function localAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address));
}
