import { parseDuration } from '../support/duration.ts';
import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';

/** How a spy answers: always the same, or as the API behind it does. */
export type SpyAnswer =
  | { readonly kind: 'fixed'; readonly status: number; readonly body: string; readonly contentType: string }
  | { readonly kind: 'forward'; readonly to: URL };

export type SpyOptions = {
  /** 0 takes any free one. */
  readonly port: number;
  readonly delayMs: number;
  readonly answer: SpyAnswer;
};

const OPTIONS = ['status', 'body', 'delay', 'forward'];

export const SPY_FORM = 'spy:PORT,status=201,body=TEXT,delay=50ms or spy:PORT,forward=URL';

/**
 * Reads `9000,status=201,body={"id":1,"ok":true},delay=50ms`. A comma separates only in front of an option's name, so
 * that JSON needs no quoting.
 */
export function parseSpyOptions(rest: string, text: string): SpyOptions {
  const [port = '', ...parts] = rest.split(/,(?=(?:status|body|delay|forward)=)/);
  const given = new Map(parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]));
  if (given.size < parts.length) throw bad(text, 'gives an option twice');
  return {
    port: portOf(port, text),
    delayMs: parseDuration(given.get('delay') ?? '0', `--effect ${text}`),
    answer: answerOf(given, text),
  };
}

function portOf(port: string, text: string): number {
  const [number = '', ...unknown] = port.split(',');
  if (unknown.length > 0) {
    const word = unknown[0]?.split('=')[0] ?? '';
    const meant = nearest(word, OPTIONS);
    throw new UserError('BAD_EFFECT', `A spy has no option "${word}" (--effect "${text}").`, {
      hint: meant ? `Did you mean ${meant}=?` : `It has ${OPTIONS.join(', ')}.`,
    });
  }
  if (/^\d+$/.test(number) && Number(number) <= 65_535) return Number(number);
  throw bad(text, `has no port: "${number}" is not one`);
}

function answerOf(given: ReadonlyMap<string, string>, text: string): SpyAnswer {
  const to = given.get('forward');
  if (to !== undefined) {
    if (given.has('status') || given.has('body')) throw bad(text, 'cannot both forward and answer by itself');
    if (!/^https?:\/\//i.test(to) || !URL.canParse(to)) throw bad(text, `forwards to "${to}", which is not a URL`);
    return { kind: 'forward', to: new URL(to) };
  }
  const status = given.get('status') ?? '200';
  if (!/^[2-5]\d\d$/.test(status)) throw bad(text, `has the status "${status}", which is not one from 200 to 599`);
  const body = given.get('body') ?? '{}';
  return { kind: 'fixed', status: Number(status), body, contentType: contentTypeOf(body) };
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
