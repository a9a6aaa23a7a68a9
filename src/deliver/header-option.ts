import type { Headers } from '../model/event.ts';
import { UserError } from '../support/errors.ts';
import { HOP_BY_HOP, isToken } from '../support/headers.ts';

/** What one `-H` asks for. Values are latin1 text, one character a byte. */
export type HeaderChange =
  | { readonly kind: 'set'; readonly name: string; readonly value: string }
  | { readonly kind: 'remove'; readonly name: string };

/** These follow from the payload and the connection; the sender writes them. */
const SET_BY_THE_SENDER = new Set([...HOP_BY_HOP, 'content-length', 'expect']);

/** Reads `-H` as curl does: `Name: value` sets, `Name:` removes, `Name;` sends the header with an empty value. */
export function parseHeaderOption(text: string): HeaderChange {
  if (/[\r\n\0]/.test(text)) {
    throw new UserError('HEADER_LINE_BREAK', `-H ${JSON.stringify(text)} contains a line break or a NUL.`, {
      hint: 'One -H is one header; repeat -H for more.',
    });
  }
  const empty = /^([^:]*);\s*$/.exec(text)?.[1];
  const [, name = '', value = ''] = empty === undefined ? (/^([^:]*):(.*)$/.exec(text) ?? []) : [text, empty];
  if (!isToken(name)) {
    throw new UserError('HEADER_SYNTAX', `-H "${text}" is not a header.`, {
      hint: "Write it like -H 'Name: value'; 'Name:' removes a captured header, 'Name;' sends it empty.",
    });
  }
  if (SET_BY_THE_SENDER.has(name.toLowerCase())) {
    throw new UserError('HEADER_SET_BY_SENDER', `"${name}" cannot be set with -H.`, {
      hint: 'It follows from the payload and the connection, and is written for each attempt.',
    });
  }
  const bytes = latin1OfUtf8(value.trim());
  return bytes === '' && empty === undefined ? { kind: 'remove', name } : { kind: 'set', name, value: bytes };
}

/** The headers that these `-H` set, for a request that has none to remove. */
export function setHeaders(lines: readonly string[]): Headers {
  return lines
    .map(parseHeaderOption)
    .flatMap((change) => (change.kind === 'set' ? [[change.name, change.value] as const] : []));
}

/** A terminal's text is UTF-8; these bytes go out, as from curl. */
function latin1OfUtf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
