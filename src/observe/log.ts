import { resolve } from 'node:path';
import { messageOf, UserError } from '../support/errors.ts';
import { followFile } from './follow-file.ts';
import { createIncoming } from './incoming.ts';
import { createLineMatcher } from './match-lines.ts';
import type { Source, SourceAddress, UnopenedSource } from './source.ts';

/** Each new line that matches is a row of the collection `lines`; named groups are its cells, else the line is. */
export const log: Source = { scheme: 'log', form: 'log:PATH#/regex/flags', parse: parseLog };

function parseLog({ text, rest }: SourceAddress): UnopenedSource {
  const at = rest.indexOf('#');
  const path = at < 0 ? rest : rest.slice(0, at);
  if (path === '') {
    throw new UserError('BAD_EFFECT', `"${text}" names no file (--effect).`, { hint: `Write it as ${log.form}.` });
  }
  const regex = at < 0 ? /^/ : regexOf(rest.slice(at + 1), text);
  return {
    defaultName: nameOf(path),
    open: async (name, { cwd, env }) => {
      const lines = createIncoming('lines');
      const match = createLineMatcher(regex, text);
      const file = await followFile(resolve(cwd, path.replace(/^~(?=\/)/, env['HOME'] ?? '~')), path);
      return {
        name,
        source: text,
        read: async () => {
          for (const cells of match(await file.newLines())) lines.add(cells);
          return { collections: [lines.collection()] };
        },
        close: file.close,
      };
    },
  };
}

function regexOf(fragment: string, text: string): RegExp {
  const [, source, flags = ''] = /^\/(.+)\/([a-z]*)$/s.exec(fragment) ?? [];
  if (source === undefined) {
    throw new UserError('BAD_EFFECT', `"${text}" has no regular expression behind "#" (--effect).`, {
      hint: `It stands between slashes: log:PATH#/${fragment.replaceAll('/', '')}/.`,
    });
  }
  try {
    return new RegExp(source, flags.replace(/[gy]/g, ''));
  } catch (cause) {
    throw new UserError('BAD_EFFECT', `"${text}" has a wrong regular expression: ${messageOf(cause)} (--effect).`, {
      hint: `Write it as ${log.form}.`,
      cause,
    });
  }
}

/** `app` for `logs/app.log`. */
function nameOf(path: string): string {
  const file = path.split(/[\\/]/).at(-1) ?? '';
  return file.replace(/\.\w+$/, '').replace(/[^\p{L}\p{N}_.-]+/gu, '-') || 'log';
}
