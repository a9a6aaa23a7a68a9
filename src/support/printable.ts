/**
 * Text from outside, safe for a terminal: control characters (they could move the cursor or change the title) and
 * direction marks become visible escapes. Line ends and tabs stay when `lines` is true.
 */
export function printable(text: string, { lines = false }: { readonly lines?: boolean } = {}): string {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, (char) =>
    lines && (char === '\n' || char === '\t') ? char : escapeOf(char),
  );
}

function escapeOf(char: string): string {
  const named = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[char];
  const code = char.charCodeAt(0);
  return (
    named ?? (code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`)
  );
}
