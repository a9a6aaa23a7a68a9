import { UserError } from '../support/errors.ts';

/** Where deliveries go. Path and query are kept as the user wrote them: a URL object would normalise them. */
export type Receiver = {
  /** Scheme, host and port, without a trailing slash: `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Starts with a slash; `null` when the user gave none and the captured path is used. A bare `/` was given. */
  readonly path: string | null;
  /** Without the question mark; `null` when there was none. */
  readonly query: string | null;
  /** For people and stored runs. Holds no credentials: they are refused. */
  readonly display: string;
};

/**
 * Reads `--to`: `3000`, `:3000/hooks`, `localhost:3000/hooks`, `[::1]:3000` or a full http(s) URL.
 * A fragment is dropped. Throws `UserError` for everything else.
 */
export function parseReceiver(text: string): Receiver {
  refuseMangledPath(text);
  if (/[\s\\]/.test(text)) throw invalid(text, 'Percent-encode spaces and backslashes.');
  const parts = URL_PARTS.exec(withScheme(text));
  if (!parts) throw invalid(text);
  const [, scheme = '', authority = '', path, query] = parts;
  if (!/^https?$/i.test(scheme)) {
    throw new UserError('RECEIVER_SCHEME', `Deliveries cannot be sent over "${scheme}:".`, {
      hint: 'Give an http:// or https:// URL.',
    });
  }
  const origin = parseOrigin(text, scheme, authority);
  const rawPath = path === undefined ? null : encodeOddCharacters(path);
  const rawQuery = query === undefined ? null : encodeOddCharacters(query);
  return {
    origin,
    path: rawPath,
    query: rawQuery,
    display: `${origin}${rawPath ?? ''}${rawQuery === null ? '' : `?${rawQuery}`}`,
  };
}

/**
 * The request target of a captured request at this receiver. A path in `--to` replaces the captured one;
 * a query in `--to` comes first and the captured one follows it. Nothing is decoded, encoded or normalised.
 */
export function requestTarget(receiver: Receiver, path: string, query: string | null): string {
  const queries = [receiver.query, query].filter((part) => part !== null);
  const filled = queries.filter((part) => part !== '');
  const suffix = queries.length === 0 ? '' : `?${filled.join('&')}`;
  return `${receiver.path ?? originForm(path)}${suffix}`;
}

/** The absolute URL of a target. For signing and for people: a URL object normalises dots and odd characters, the wire gets the target. */
export function requestUrl(receiver: Receiver, target: string): URL {
  return new URL(`${receiver.origin}${target}`);
}

const URL_PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/i;

function withScheme(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  const port = /^:?(\d{1,5})(?=$|[/?#])/.exec(text);
  return port ? `http://localhost:${port[1]}${text.slice(port[0].length)}` : `http://${text}`;
}

function parseOrigin(text: string, scheme: string, authority: string): string {
  if (authority.includes('@')) {
    throw new UserError('RECEIVER_CREDENTIALS', "The receiver's URL contains a user name or password.", {
      hint: "URLs are stored with the run. Leave it out and pass -H 'Authorization: Basic ...' instead.",
    });
  }
  const url = URL.canParse(`${scheme}://${authority}`) ? new URL(`${scheme}://${authority}`) : undefined;
  if (!url?.hostname || url.port === '0' || /:$/.test(authority)) throw invalid(text);
  return url.origin;
}

/** Git Bash on Windows rewrites an argument that starts with a slash into a Windows path (probot/smee-client#97). */
function refuseMangledPath(text: string): void {
  if (/^[a-z]:[\\/](?![\\/])/i.test(text) || /program files( \(x86\))?[\\/]git[\\/]/i.test(text)) {
    throw new UserError('MANGLED_PATH', `"${text}" is a Windows path, not a URL; Git Bash makes one from "/hooks".`, {
      hint: 'Write the path behind the port without a leading slash (3000/hooks), or set MSYS_NO_PATHCONV=1.',
    });
  }
  if (text.startsWith('/')) {
    throw new UserError('RECEIVER_WITHOUT_HOST', `"${text}" has a path but no host or port.`, {
      hint: `Write it like 3000${text} or http://localhost:3000${text}.`,
    });
  }
}

function invalid(text: string, hint = 'Write it like 3000, localhost:3000/hooks or http://localhost:3000/hooks.') {
  return new UserError('RECEIVER_URL', `"${text}" is not a receiver's URL.`, { hint });
}

/** Only what may not stand on a request line; an existing `%2F` or `%2f` stays as it is. */
function encodeOddCharacters(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, (odd) =>
    Array.from(Buffer.from(odd, 'utf8'), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

/** A request captured through a proxy may have an absolute target. */
function originForm(path: string): string {
  const withoutOrigin = path.replace(/^https?:\/\/[^/]*/i, '');
  return withoutOrigin.startsWith('/') ? withoutOrigin : `/${withoutOrigin}`;
}
