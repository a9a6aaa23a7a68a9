import { escapeRegExp } from './escape-reg-exp.ts';

/** Takes secrets out of text. One instance serves a whole process; everything people or files get passes through it. */
export type Redactor = {
  /** From now on this value, and its base64, hex and URL forms, never leave. Shorter than 4 characters is ignored: it would black out everything. */
  readonly register: (secret: string) => void;
  readonly redact: (text: string) => string;
};

export function createRedactor(): Redactor {
  const values = new Set<string>();
  let pattern: RegExp | undefined;
  return {
    register: (secret) => {
      if (secret.length < 4) return;
      for (const text of [secret, ...keysWithin(secret)]) for (const form of formsOf(text)) values.add(form);
      const longestFirst = [...values].sort((a, b) => b.length - a.length);
      pattern = new RegExp(longestFirst.map(escapeRegExp).join('|'), 'g');
    },
    redact: (text) => withoutUserInfo(pattern ? text.replace(pattern, '[secret]') : text),
  };
}

/** Headers whose values open doors. Signature headers are not among them: they are spent with their timestamp, and people must compare them. */
const CREDENTIAL_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-auth-token',
  'x-gitlab-token',
]);

export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL_HEADERS.has(name.toLowerCase());
}

/** The key of a whsec_ secret is the part behind the prefix. A short one is a word like "test", not a key. */
function keysWithin(secret: string): readonly string[] {
  return /^whsec_(.{16,})$/s.exec(secret)?.slice(1) ?? [];
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  return [
    secret,
    // Without its padding, so that both spellings are found.
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    hex,
    hex.toUpperCase(),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
}

/** `postgres://user:password@host` becomes `postgres://user:***@host`, and a user name alone, which may be a token, `***`. */
function withoutUserInfo(text: string): string {
  if (!text.includes('@')) return text;
  return text
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/[^\s/:@'"?#]*):[^\s/'"?#]+@/gi, '$1:***@')
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/:@'"?#]+@/gi, '$1***@');
}

/** Every text in plain data, redacted; all else stays. */
export function redactDeep<T>(value: T, redactor: Redactor): T {
  return deep(value, redactor) as T;
}

/** Bytes, clocks, functions and the like are handed on as they are. */
function isPlain(value: unknown): value is object {
  if (value === null || typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function deep(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.redact(value);
  if (Array.isArray(value)) return value.map((item) => deep(item, redactor));
  if (value instanceof Map) return new Map(deep([...value], redactor) as [unknown, unknown][]);
  if (value instanceof Set) return new Set(deep([...value], redactor) as unknown[]);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deep(item, redactor)]));
}
