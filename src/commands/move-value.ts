import { isAbsolute, join, relative } from 'node:path';
import { shellQuote } from '../support/shell-quote.ts';

/** The folder that a text was written for, and the one it will be used in; both absolute. */
export type Move = { readonly folder: string; readonly cwd: string };

export function movePath(path: string, { folder, cwd }: Move): string {
  return folder === cwd || isAbsolute(path) ? path : relative(cwd, join(folder, path));
}

/** For values like `@FILE` or `sqlite:FILE`; others stay as they are. */
export function movePathBehind(prefix: string): (text: string, move: Move) => string {
  return (text, move) => (text.startsWith(prefix) ? `${prefix}${movePath(text.slice(prefix.length), move)}` : text);
}

export function moveCommand(command: string, { folder, cwd }: Move): string {
  if (folder === cwd) return command;
  const change = process.platform === 'win32' ? `cd /d "${folder}"` : `cd ${shellQuote(folder)}`;
  return `${change} && ${command}`;
}

export function moveSecret(text: string, move: Move): string {
  const [, kind, rest = ''] = /^(file|cmd):(.*)$/s.exec(text) ?? [];
  if (kind === undefined) return text;
  return `${kind}:${kind === 'file' ? movePath(rest, move) : moveCommand(rest, move)}`;
}

/** `name=sqlite:PATH#tables`, `exec:COMMAND`; other sources know no folder. */
export function moveEffect(text: string, move: Move): string {
  const [, name = '', scheme, rest = ''] = /^([\p{L}\p{N}_.-]+=)?(sqlite|exec):(.*)$/isu.exec(text) ?? [];
  if (scheme === undefined) return text;
  if (scheme.toLowerCase() === 'exec') return `${name}${scheme}:${moveCommand(rest, move)}`;
  const [, path = '', tables = ''] = /^([^#]*)(.*)$/s.exec(rest) ?? [];
  return path.startsWith('//') ? text : `${name}${scheme}:${movePath(path, move)}${tables}`;
}

/** `NAME=FILE`. */
export function moveReport(text: string, move: Move): string {
  const [, name = text, file] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  return file === undefined || file === '' || file === '-' ? text : `${name}=${movePath(file, move)}`;
}
