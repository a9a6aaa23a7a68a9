import { parseDuration } from '../support/duration.ts';
import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';
import { type ListenAddress, parseListenAddress } from './listen-address.ts';

/** How a spy answers: always the same, or as the API behind it does. */
export type SpyAnswer =
  | {
      readonly kind: 'fixed';
      readonly status: number;
      readonly body: string;
      /** Beside the content-type. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'forward'; readonly to: URL };

/** What is done with the calls of one route. */
export type SpyRule = {
  readonly answer: SpyAnswer;
  readonly delayMs: number;
  /** The status by which each different call fails the first time it is made. */
  readonly failOnce: number | undefined;
};

export type SpyOptions = ListenAddress & {
  /** For calls that no route takes. */
  readonly rule: SpyRule;
  /** A JSON file, not read yet. */
  readonly routesFile: string | undefined;
};

/** The parts of a rule as texts, from the command line or from a file of routes. */
export type RuleTexts = {
  readonly status?: string | undefined;
  readonly body?: string | undefined;
  readonly delay?: string | undefined;
  readonly forward?: string | undefined;
  readonly failOnce?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

const OPTIONS = ['status', 'body', 'delay', 'forward', 'fail-once', 'routes'];

const SPY_FORM =
  'spy:PORT or spy:HOST:PORT, then ,status=201 ,body=TEXT ,delay=50ms ,fail-once=503 ,forward=URL ,routes=FILE.json';

/**
 * Reads `9000,status=201,body={"id":1,"ok":true},delay=50ms`. A comma separates only in front of an option's name, so
 * that JSON needs no quoting.
 */
export function parseSpyOptions(rest: string, text: string): SpyOptions {
  const [address = '', ...parts] = rest.split(new RegExp(`,(?=(?:${OPTIONS.join('|')})=)`));
  const given = new Map(parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]));
  if (given.size < parts.length) throw bad(text, 'gives an option twice');
  const routesFile = given.get('routes');
  if (routesFile === '') throw bad(text, 'names no file behind "routes="');
  const [status, body, delay, forward] = ['status', 'body', 'delay', 'forward'].map((name) => given.get(name));
  const texts = { status, body, delay, forward, failOnce: given.get('fail-once') };
  const rule = ruleOf(texts, { where: `--effect ${text}`, bad: (what) => bad(text, what) });
  return { ...addressOf(address, text), rule, routesFile };
}

function addressOf(address: string, text: string): ListenAddress {
  const [place = '', ...unknown] = address.split(',');
  if (unknown.length > 0) {
    const word = unknown[0]?.split('=')[0] ?? '';
    const meant = nearest(word, OPTIONS);
    throw new UserError('BAD_EFFECT', `A spy has no option "${word}" (--effect "${text}").`, {
      hint: meant ? `Did you mean ${meant}=?` : `It has ${OPTIONS.join(', ')}.`,
    });
  }
  const found = parseListenAddress(place);
  if (!found) throw bad(text, `has no port: "${place}" is not one`);
  return found;
}

type Origin = {
  /** For what has a message of its own. */
  readonly where: string;
  /** Makes the error of what is said about the place that the texts come from: "has the status ..." */
  readonly bad: (what: string) => UserError;
};

export function ruleOf(texts: RuleTexts, { where, bad }: Origin): SpyRule {
  const { failOnce, delay = '0' } = texts;
  if (failOnce !== undefined && !/^[3-5]\d\d$/.test(failOnce)) {
    throw bad(`fails once with "${failOnce}", which is not a status from 300 to 599`);
  }
  return {
    answer: answerOf(texts, bad),
    delayMs: parseDuration(delay, where),
    failOnce: failOnce === undefined ? undefined : Number(failOnce),
  };
}

function answerOf(texts: RuleTexts, bad: Origin['bad']): SpyAnswer {
  const { forward, status = '200', body = '{}', headers = {} } = texts;
  if (forward !== undefined) {
    if (texts.status !== undefined || texts.body !== undefined) throw bad('cannot both forward and answer by itself');
    if (!/^https?:\/\//i.test(forward) || !URL.canParse(forward)) {
      throw bad(`forwards to "${forward}", which is not a URL`);
    }
    return { kind: 'forward', to: new URL(forward) };
  }
  if (!/^[2-5]\d\d$/.test(status)) throw bad(`has the status "${status}", which is not one from 200 to 599`);
  return { kind: 'fixed', status: Number(status), body, headers: { 'content-type': contentTypeOf(body), ...headers } };
}

function contentTypeOf(body: string): string {
  try {
    JSON.parse(body);
    return 'application/json';
  } catch {
    return 'text/plain; charset=utf-8';
  }
}

function bad(text: string, what: string): UserError {
  return new UserError('BAD_EFFECT', `"${text}" ${what} (--effect).`, { hint: `Write it as ${SPY_FORM}.` });
}
