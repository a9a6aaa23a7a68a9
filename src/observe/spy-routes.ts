import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, UserError } from '../support/errors.ts';
import { globPattern } from '../support/glob.ts';
import { nearest } from '../support/nearest.ts';
import { type RuleTexts, ruleOf, type SpyRule } from './spy-options.ts';

/** The rule for some of the calls; the first route that takes a call answers it. */
export type SpyRoute = SpyRule & { readonly takes: (method: string, path: string) => boolean };

/** What a route may say; all but the path may be left out. */
const TYPES: Readonly<Record<string, 'text' | 'number' | 'any' | 'texts'>> = {
  method: 'text',
  path: 'text',
  status: 'number',
  body: 'any',
  headers: 'texts',
  delay: 'text',
  failOnce: 'number',
  forward: 'text',
};

/**
 * Reads a file of routes, a JSON array: `[{"method": "POST", "path": "/v1/charges/*", "status": 201, "body": {"id": "ch_1"}}]`.
 * @throws UserError exit 2, with the route's number and what is wrong about it
 */
export async function readRoutes(file: string, cwd: string): Promise<readonly SpyRoute[]> {
  const routes = parseJson(await readText(file, cwd), file);
  if (!Array.isArray(routes)) throw badFile(file, 'is no JSON array of routes');
  return routes.map((route: unknown, index) => routeOf(route, (what) => badFile(file, what, index + 1)));
}

async function readText(file: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw badFile(file, `cannot be read: ${messageOf(error)}`);
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badFile(file, `is no JSON: ${messageOf(error)}`);
  }
}

function routeOf(route: unknown, bad: (what: string) => UserError): SpyRoute {
  if (route === null || typeof route !== 'object' || Array.isArray(route)) throw bad('is no object');
  const given = route as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries(given)) {
    const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
    if (type === undefined) throw bad(unknownName(name));
    if (!isOfType(value, type)) throw bad(`has a "${name}" that is no ${type === 'texts' ? 'object of texts' : type}`);
  }
  const { path, method } = given as { readonly path?: string; readonly method?: string };
  if (!path?.startsWith('/')) throw bad('has no "path" that starts with a slash');
  const pattern = globPattern(path);
  const takes = (called: string, at: string) => (method ?? called).toUpperCase() === called && pattern.test(at);
  return { ...ruleOf(textsOf(given), { where: '"delay" of a route', bad }), takes };
}

function unknownName(name: string): string {
  const meant = nearest(name, Object.keys(TYPES));
  return `has a "${name}", which is unknown${meant ? `; did you mean "${meant}"?` : ''}`;
}

function isOfType(value: unknown, type: (typeof TYPES)[string]): boolean {
  if (type === 'any') return true;
  if (type === 'text') return typeof value === 'string';
  if (type === 'number') return typeof value === 'number';
  return (
    value !== null && typeof value === 'object' && Object.values(value).every((member) => typeof member === 'string')
  );
}

/** A body that is no text is sent as JSON. */
function textsOf({ status, body, delay, forward, failOnce, headers }: Readonly<Record<string, unknown>>): RuleTexts {
  const textOf = (value: unknown) => (value === undefined ? undefined : String(value));
  return {
    status: textOf(status),
    body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
    delay: textOf(delay),
    forward: textOf(forward),
    failOnce: textOf(failOnce),
    headers: headers as RuleTexts['headers'],
  };
}

function badFile(file: string, what: string, route?: number): UserError {
  const place = route === undefined ? `"${file}"` : `Route ${route} of "${file}"`;
  return new UserError('BAD_ROUTES', `${place} ${what} (--effect spy:...,routes=FILE).`, {
    hint: 'A route is like {"method": "POST", "path": "/v1/charges", "status": 201, "body": {"id": "ch_1"}, "delay": "50ms", "failOnce": 503}.',
  });
}
