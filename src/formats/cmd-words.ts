import type { Words } from './shell-words.ts';

/** True when a command was copied for Windows' cmd: carets at line ends or before quotes. */
export function isForCmd(text: string): boolean {
  return /[ \t]\^[ \t]*\r?$/m.test(text) || / \^"/.test(text);
}

/**
 * The words of one command, split as cmd and then the C runtime do: `^` takes the meaning from the next character and
 * continues a line at its end, `\"` and `""` are a quote inside quotes. The command ends with its line.
 * @param text latin1, so that each character is a byte
 */
export function cmdWords(text: string): Words {
  const [line = ''] = text
    .replaceAll('\r\n', '\n')
    // A line end inside a value: browsers write it as a caret and an empty line.
    .replace(/\^\n\n/g, '\u0100')
    .replace(/\^[ \t]*\n/g, ' ')
    .split('\n');
  return splitWords(line.replace(/\^(.)/g, '$1')).map((word) => word.replaceAll('\u0100', '\n'));
}

function splitWords(line: string): Words {
  return (line.match(/(?:"(?:[^"\\]|\\[\s\S])*(?:"|$)|\\[\s\S]|[^\s"\\])+/g) ?? []).map(unquote);
}

function unquote(word: string): string {
  let quoted = false;
  let closedAt = -1;
  return word.replace(/(\\*)"/g, (whole: string, slashes: string, offset: number) => {
    const half = '\\'.repeat(slashes.length >> 1);
    if (slashes.length % 2 === 1) return `${half}"`;
    const doubled = !quoted && offset === closedAt;
    quoted = !quoted;
    closedAt = quoted ? -1 : offset + whole.length;
    return doubled ? `${half}"` : half;
  });
}
