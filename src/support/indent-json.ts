const INDENT = '  ';
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON text with its insignificant whitespace arranged for reading. Numbers, escapes and repeated keys stay as they
 * were written, which parsing and writing again would change.
 * @param json valid JSON; other text comes out odd
 */
export function indentJson(json: string): string {
  const parts: string[] = [];
  let depth = 0;
  let before = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '}' || token === ']') {
      depth--;
      // Nothing stands between: `{}` stays on its line.
      if (before === '{' || before === '[') parts.pop();
      else parts.push(lineStart(depth));
    }
    parts.push(token);
    if (token === '{' || token === '[') parts.push(lineStart(++depth));
    else if (token === ',') parts.push(lineStart(depth));
    else if (token === ':') parts.push(' ');
    before = token;
  }
  return parts.join('');
}

function lineStart(depth: number): string {
  return `\n${INDENT.repeat(Math.max(0, depth))}`;
}
