import { UserError } from '../../support/errors.ts';

/** A dependency that we stand in front of. */
export type Dependency = {
  /** The environment variable of the receiver. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Plain HTTP, whose calls can be read on their way. */
  readonly isPlainHttp: boolean;
  /** Of the URL's user, as it stands there. */
  readonly password?: string | undefined;
  /** The variable's value with us in the place of the dependency; every other byte as it was. */
  readonly rewrite: (port: number) => string;
};

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  postgres: 5432,
  postgresql: 5432,
  mysql: 3306,
  mysql2: 3306,
  mariadb: 3306,
  redis: 6379,
  rediss: 6379,
  amqp: 5672,
  amqps: 5671,
  nats: 4222,
  smtp: 25,
  submission: 587,
  smtps: 465,
  mongodb: 27017,
  http: 80,
  https: 443,
};

const OURS = '127.0.0.1';

/**
 * Reads `NAME` (then the value is the environment's) or `NAME=URL`. A value is a URL, or a bare `host:port`.
 * @throws UserError for a variable that is not set, and for a value in which there is not one address to replace
 */
export function readDependency(text: string, env: Readonly<Record<string, string | undefined>>): Dependency {
  const [, name, given] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (name === undefined) {
    throw new UserError('BAD_INTERCEPT', 'What --intercept names is no environment variable.', {
      hint: 'Write NAME, for a variable that is set, or NAME=URL: --intercept DATABASE_URL.',
    });
  }
  const value = given ?? env[name];
  if (value === undefined || value === '') {
    throw new UserError(
      'NOT_SET',
      `--intercept ${name}: this variable is not set, neither in the environment nor in .env.`,
      {
        hint: `Set it to what the receiver should use, or write --intercept ${name}=URL.`,
      },
    );
  }
  return { name, ...addressIn(name, value) };
}

/** The scheme and what may stand before the host, the host, the port, the rest. */
const URL_PARTS = /^([a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?)(\[[^\]]*\]|[^:/?#,@[\]]*)(?::(\d+))?([/?#].*)?$/is;
const BARE = /^()(\[[^\]]*\]|[^:/?#,@[\]\s]+):(\d+)()$/;

function addressIn(name: string, value: string): Omit<Dependency, 'name'> {
  const [, before, host, digits, rest = ''] = URL_PARTS.exec(value) ?? BARE.exec(value) ?? [];
  const scheme = /^[^:]*/.exec(before ?? '')?.[0].toLowerCase() ?? '';
  const port = digits === undefined ? DEFAULT_PORTS[scheme.replace(/\+.*$/, '')] : Number(digits);
  if (before === undefined || !host) {
    throw new UserError(
      'BAD_INTERCEPT',
      `--intercept ${name}: its value holds no single host that could be replaced.`,
      {
        hint: 'It must be a URL like postgres://user@host:5432/db, with one host and no socket file.',
      },
    );
  }
  if (port === undefined || port < 1 || port > 65535) {
    throw new UserError(
      'BAD_INTERCEPT',
      `--intercept ${name}: its value says no port, and "${scheme}:" has none of its own here.`,
      {
        hint: 'Write the port behind the host.',
      },
    );
  }
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port,
    isPlainHttp: scheme === 'http',
    password: /^[a-z][a-z0-9+.-]*:\/\/[^:@]*:(.*)@$/is.exec(before)?.[1],
    rewrite: (ours) => `${before}${OURS}:${ours}${rest}`,
  };
}
