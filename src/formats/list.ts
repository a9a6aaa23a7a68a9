import { UserError } from '../support/errors.ts';
import { nearest } from '../support/nearest.ts';
import { body } from './body.ts';
import { curl } from './curl.ts';
import type { Format } from './format.ts';
import { jsonl } from './jsonl.ts';
import { rawHttp } from './raw-http-format.ts';

/** To add a format: one file here, one line in this list. The first that recognises a file reads it; `body` takes what is left. */
export const FORMATS: readonly Format[] = [rawHttp, jsonl, curl, body];

/** @param name the file's name, whose ending may tell; `-` for standard input */
export function detectFormat(bytes: Uint8Array, name: string): Format {
  return FORMATS.find((format) => format.recognises(bytes, name)) ?? body;
}

/** The format of that name. @throws UserError with the nearest name */
export function findFormat(id: string): Format {
  const format = FORMATS.find((one) => one.id === id);
  if (format) return format;
  const names = FORMATS.map((one) => one.id);
  const close = nearest(id, names);
  throw new UserError('UNKNOWN_FORMAT', `There is no format called "${id}".`, {
    hint: close ? `Did you mean ${close}?` : `Choose one of: ${names.join(', ')}.`,
  });
}
