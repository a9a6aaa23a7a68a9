import type { RawRequest } from '../model/event.ts';
import { headerValue } from '../support/headers.ts';
import { pointerSteps } from '../support/json-pointer.ts';

/** A reading of a payload by JSON pointers. Never the payload itself: bytes that cannot be read as JSON just show nothing. */
export type PayloadView = {
  /** A non-empty text, or a number exactly as it was written (64-bit ids keep their digits); else `undefined`. */
  readonly text: (pointer: string) => string | undefined;
  /** True for any value but a missing one, `null` too. */
  readonly has: (pointer: string) => boolean;
};

/** Parsed at the first question: most requests are recognised by their headers. A form is seen as its `payload` field's JSON, else as its fields. */
export function viewPayload(request: Pick<RawRequest, 'headers' | 'payload'>): PayloadView {
  let parsed: { readonly json: string; readonly value: unknown } | undefined;
  let exact: unknown;
  const view = () => {
    parsed ??= readBody(request);
    return parsed;
  };
  return {
    has: (pointer) => valueAt(view().value, pointer) !== undefined,
    text: (pointer) => {
      const value = valueAt(view().value, pointer);
      if (typeof value === 'string') return value || undefined;
      if (typeof value !== 'number') return undefined;
      if (Number.isSafeInteger(value)) return String(value);
      exact ??= parseWithNumbersAsText(view().json);
      return String(valueAt(exact, pointer));
    },
  };
}

function readBody({ headers, payload }: Pick<RawRequest, 'headers' | 'payload'>): { json: string; value: unknown } {
  // Takes a byte order mark away and replaces what is not UTF-8.
  const text = new TextDecoder().decode(payload);
  if (!isForm(headers)) return { json: text, value: parse(text) };
  const fields = new URLSearchParams(text);
  const json = fields.get('payload');
  const value = json === null ? undefined : parse(json);
  if (json !== null && value !== undefined) return { json, value };
  return { json: '', value: firstOfEach(fields) };
}

function isForm(headers: RawRequest['headers']): boolean {
  return headerValue(headers, 'content-type')?.toLowerCase().includes('application/x-www-form-urlencoded') ?? false;
}

function firstOfEach(fields: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...fields].reverse());
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/** Only for text that is JSON: there, a digit outside a string can only be a number's. */
function parseWithNumbersAsText(json: string): unknown {
  const quoted = json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  return parse(quoted);
}

/** @param pointer RFC 6901; the empty one is the whole value */
function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of pointerSteps(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
