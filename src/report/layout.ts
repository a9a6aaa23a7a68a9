import wrapAnsi from 'wrap-ansi';
import type { Style } from './style.ts';

const LABEL = 11;
const LEAST = 24;

/** Lines that fit the terminal, indented. In a pipe one line. */
export function wrapped(text: string, indent: number, { width }: Style): readonly string[] {
  const margin = ' '.repeat(indent);
  if (width === 0) return [`${margin}${text}`];
  return wrapAnsi(text, Math.max(LEAST, width - indent), { trim: true })
    .split('\n')
    .map((line) => `${margin}${line}`);
}

/** `  observed   text`, further lines below the text. */
export function labelled(label: string, text: string, style: Style & { readonly indent?: number }): readonly string[] {
  const { indent = 2 } = style;
  const [first = '', ...more] = wrapped(text, indent + LABEL, style);
  return [`${' '.repeat(indent)}${style.paint.dim(label.padEnd(LABEL))}${first.trimStart()}`, ...more];
}
