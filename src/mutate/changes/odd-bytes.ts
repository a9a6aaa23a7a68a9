import type { Change } from './change.ts';
import { bytesOf, isJsonObject, latin1Of, mapOutsideStrings } from './json-layout.ts';

/**
 * Odd, but valid JSON with the same content: a signature over the raw bytes fits, one over parsed and re-written JSON does not
 * (stripe-node#341, octokit/webhooks.js#71).
 */
export const ODD_BYTES: readonly Change[] = [
  odd('odd-spaces', 'spaces and line breaks where nobody puts them', (text) =>
    mapOutsideStrings(text, (between) => between.replace(/[:,]/g, ' $&\n\t')),
  ),
  odd('odd-escapes', 'a letter written as \\u escape', (text) =>
    text.replace(
      /"([A-Za-z])(?=(?:[^"\\]|\\.)*"\s*[,}\]])/,
      (_, letter: string) => `"\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  ),
  odd('odd-numbers', 'an unknown member with 1.0, 1E2 and an integer beyond 2^53', (text) =>
    withMember(text, '"x_webhook_replay":[1.0,1E2,12345678901234567890]'),
  ),
  odd('odd-unicode', 'an unknown member with emoji, combining marks and U+2028', (text) =>
    withMember(text, Buffer.from('"x_webhook_replay":"é🧾e\u0301\u2028"', 'utf8').toString('latin1')),
  ),
  odd('odd-newline', 'a line break behind the body', (text) => `${text}\r\n`),
];

function odd(id: string, summary: string, rewrite: (text: string) => string): Change {
  return {
    id,
    summary,
    apply: ({ payload }) => {
      const text = latin1Of(payload);
      if (!isJsonObject(text)) return undefined;
      const changed = rewrite(text);
      return changed === text ? undefined : { payload: bytesOf(changed) };
    },
  };
}

/** Receivers must pass over members they do not know. */
function withMember(text: string, member: string): string {
  return text.replace(/\{(\s*)(\}?)/, (_, space: string, end: string) => `{${space}${member}${end === '' ? ',' : '}'}`);
}
