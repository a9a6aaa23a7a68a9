import type { FoundRequest } from '../model/event.ts';
import { UserError } from '../support/errors.ts';
import { cmdWords, isForCmd } from './cmd-words.ts';
import { curlArguments } from './curl-options.ts';
import { curlRequest } from './curl-request.ts';
import type { Format, ParseOptions } from './format.ts';
import { shellCommands, type Words } from './shell-words.ts';

/** Where a command starts; people copy the prompt with it. */
const START = /^[ \t]*(?:[$>%] )?(?=curl(?:\.exe)?\s)/gm;

export const curl: Format = {
  id: 'curl',
  title: 'curl commands as pasted, for bash or for Windows',
  recognises: (bytes) =>
    /^(?:\s|#[^\n]*\n|:: [^\n]*\n)*(?:[$>%] )?curl(?:\.exe)?\s/.test(textOf(bytes.subarray(0, 4000))),
  parse: (bytes, options) => {
    const text = textOf(bytes);
    const starts = [...text.matchAll(START)].map((match) => match.index + match[0].length);
    if (starts.length === 0) throw new UserError('BAD_CURL', `${options.name}: there is no curl command in it.`);
    return starts.map((start, index) =>
      parseCommand(text.slice(start, starts[index + 1]), lineAt(text, start), options),
    );
  },
};

function parseCommand(text: string, line: number, { name, readFile }: ParseOptions): FoundRequest {
  try {
    const [, ...words] = isForCmd(text) ? cmdWords(text) : firstCommand(text);
    return { ...curlRequest(curlArguments(words), readFile), tags: [], marks: [] };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(error.code, `${name}:${line}: ${error.message}`, { hint: error.hint });
  }
}

function firstCommand(text: string): Words {
  return shellCommands(text)[0] ?? [];
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
}
