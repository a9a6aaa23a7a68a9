import type { WebhookEvent } from '../../model/event.ts';
import { findProvider } from '../../providers/list.ts';
import { partsOf } from '../../providers/locate.ts';
import { jsonSpans, type Span } from '../json-spans.ts';
import { byteAt } from '../view.ts';
import type { Change, Changed } from './change.ts';
import { bytesOf, latin1Of } from './json-layout.ts';

/** Events of a known type, with their own ids, whose content nobody can work with; all signed right (rafiki#2664). */
export const POISON: readonly Change[] = [
  {
    id: 'resource-null',
    summary: 'the resource that it tells of is null',
    apply: ({ payload, provider }) => {
      const text = latin1Of(payload);
      const { spans } = jsonSpans({ text, start: 0 });
      const resources = resourcesOf(provider);
      const key = spans.find(({ kind, pointer }) => kind === 'key' && resources.has(pointer));
      return key && replaced(text, [{ ...valueBehind(key, text), by: 'null' }]);
    },
  },
  {
    id: 'amount-object',
    summary: 'every amount in it is an object instead of a number',
    apply: ({ payload }) => {
      const text = latin1Of(payload);
      const amounts = jsonSpans({ text, start: 0 }).spans.filter(isAmount);
      return replaced(
        text,
        amounts.map((span) => ({ ...extentOf(span), by: '{}' })),
      );
    },
  },
];

/** Where the provider's facts find the resource's id, without the id: `/data/object`. The whole body is none. */
function resourcesOf(provider: WebhookEvent['provider']): ReadonlySet<string> {
  const pointers = findProvider(provider)
    .locate.resource.flatMap(partsOf)
    .flatMap(({ place }) => /^body:(\/.+)\/[^/]+$/.exec(place)?.[1] ?? []);
  return new Set(pointers.filter((pointer) => !BESIDE.has(pointer)));
}

/** Tells where the resource is, and is not the resource itself. */
const BESIDE = new Set(['/repository']);

type Piece = { readonly from: number; readonly to: number; readonly by: string };

function replaced(text: string, pieces: readonly Piece[]): Changed | undefined {
  if (pieces.length === 0) return undefined;
  let written = '';
  let copied = 0;
  for (const { from, to, by } of pieces) {
    written += text.slice(copied, from) + by;
    copied = to;
  }
  return { payload: bytesOf(written + text.slice(copied)) };
}

const AMOUNT = /amount|total|price|quantity|balance/i;
const DECIMAL = /^-?\d+(\.\d+)?$/;

function isAmount({ kind, key, view }: Span): boolean {
  return kind !== 'key' && AMOUNT.test(key) && (kind === 'number' || DECIMAL.test(view.text));
}

/** With the quotes of a text. */
function extentOf({ kind, view }: Span) {
  const [from, to] = [byteAt(view, 0), byteAt(view, view.text.length)];
  return kind === 'number' ? { from, to } : { from: from - 1, to: to + 1 };
}

/** The value of a key. */
function valueBehind(key: Span, text: string) {
  const colon = text.indexOf(':', extentOf(key).to);
  const from = colon + 1;
  return { from, to: from + jsonSpans({ text: text.slice(from), start: 0 }).end };
}
