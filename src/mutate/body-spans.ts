import type { WebhookEvent } from '../model/event.ts';
import { headerValue } from '../support/headers.ts';
import { jsonSpans, type Span } from './json-spans.ts';
import { part, unescapeForm, type View } from './view.ts';

/** A place in a body that may hold ids. `text` is text without known structure, for example what stands between XML elements. */
export type BodySpan = Omit<Span, 'kind'> & { readonly kind: Span['kind'] | 'text' };

type Body = Pick<WebhookEvent, 'headers' | 'payload'>;

/** Why nothing can be renewed in this body; `undefined` when it can be read. */
export function bodyLimit({ headers, payload }: Body): string | undefined {
  const encoding = headerValue(headers, 'content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') return `it is compressed (${encoding})`;
  if (payload[0] === 0x1f && payload[1] === 0x8b) return 'it is compressed';
  return payload.includes(0) ? 'it is not text' : undefined;
}

/**
 * Reads JSON, forms, XML and plain text by what the bytes look like; JSON inside JSON texts and form fields too.
 * Spans are in the order of the bytes, without overlap; a body that cannot be read has none.
 */
export function bodySpans(body: Body): readonly BodySpan[] {
  if (bodyLimit(body) !== undefined) return [];
  const { buffer, byteOffset, byteLength } = body.payload;
  const view: View = { text: Buffer.from(buffer, byteOffset, byteLength).toString('latin1'), start: 0 };
  return spansOfText(view, headerValue(body.headers, 'content-type')?.toLowerCase() ?? '');
}

function spansOfText(view: View, contentType: string): readonly BodySpan[] {
  const start = /[^\s\u00ef\u00bb\u00bf]/.exec(view.text)?.[0];
  if (start === '{' || start === '[' || start === '"') return spansOfJson(view);
  if (start === '<') return xmlSpans(view);
  const isForm = contentType.includes('x-www-form-urlencoded') || (contentType === '' && BARE_FORM.test(view.text));
  return isForm ? formSpans(view) : [textSpan(view, 0, view.text.length)];
}

const BARE_FORM = /^[\w.%[\]-]+=[^\s]*$/;

/** What follows a place where JSON breaks off is text. */
function spansOfJson(view: View): readonly BodySpan[] {
  const { spans, complete, end } = jsonSpans(view);
  const read = withInnerJson(spans, 0);
  return complete ? read : [...read, textSpan(view, end, view.text.length)];
}

const DEEPEST = 4;

/** Replaces each text that is JSON by the places in it. */
function withInnerJson(spans: readonly BodySpan[], depth: number): readonly BodySpan[] {
  if (depth >= DEEPEST || !spans.some(mayBeJson)) return spans;
  return spans.flatMap((span) => {
    const inner = mayBeJson(span) ? jsonSpans(span.view) : undefined;
    return inner?.complete
      ? withInnerJson(
          inner.spans.map((found) => below(span, found)),
          depth + 1,
        )
      : [span];
  });
}

function mayBeJson({ kind, view }: BodySpan): boolean {
  return kind === 'string' && view.text.length > 3 && /^\s*(?:\{\s*"|\[\s*[{"[\d])/.test(view.text);
}

function below(outer: BodySpan, inner: Span): BodySpan {
  return {
    ...inner,
    pointer: outer.pointer + inner.pointer,
    key: inner.key || outer.key,
    parent: inner.parent || outer.parent,
  };
}

/** The JSON of a field named `payload` is the body to everyone, so its pointers are without the field's name. */
function formSpans(view: View): readonly BodySpan[] {
  const spans: BodySpan[] = [];
  for (const { 0: pair, index } of view.text.matchAll(/[^&\r\n]+/g)) {
    const equals = pair.indexOf('=');
    if (equals < 0) continue;
    const key = unescapeForm(part(view, index, index + equals)).text;
    const value = unescapeForm(part(view, index + equals + 1, index + pair.length));
    const field: BodySpan = { pointer: `/${key}`, key, parent: '', kind: 'string', view: value };
    const isPayload = key === 'payload' && mayBeJson(field);
    spans.push(...withInnerJson([isPayload ? { ...field, pointer: '', key: '' } : field], 0));
  }
  return spans;
}

/** Elements that hold nothing but a word are named places; the rest is text. */
function xmlSpans(view: View): readonly BodySpan[] {
  const spans: BodySpan[] = [];
  let read = 0;
  for (const match of view.text.matchAll(/<(?:[\w.-]+:)?([\w.-]+)[^<>]*>([^<>\s]{1,255})(?=<\/)/g)) {
    const [whole, name = '', word = ''] = match;
    const from = match.index + whole.length - word.length;
    spans.push(textSpan(view, read, from));
    read = from + word.length;
    spans.push({ pointer: `/${name}`, key: name, parent: '', kind: 'string', view: part(view, from, read) });
  }
  return [...spans, textSpan(view, read, view.text.length)];
}

function textSpan(view: View, from: number, to: number): BodySpan {
  return { pointer: '', key: '', parent: '', kind: 'text', view: part(view, from, to) };
}
