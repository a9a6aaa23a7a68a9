import type { Headers, WebhookEvent } from '../../../src/model/event.ts';
import { type Family, type FamilyOptions, prepareFamily } from '../../../src/mutate/prepare-family.ts';
import { factsOf } from '../../../src/providers/locate.ts';

export const JSON_TYPE: Headers[number] = ['Content-Type', 'application/json'];

export type EventInput = Partial<Pick<WebhookEvent, 'id' | 'path' | 'query'>> & { readonly headers?: Headers };

/** An event with this body; provider and facts are read from it as a capture would. */
export function eventOf(body: string | Uint8Array, { headers = [JSON_TYPE], ...rest }: EventInput = {}): WebhookEvent {
  const payload = typeof body === 'string' ? new Uint8Array(Buffer.from(body, 'utf8')) : body;
  const request = { method: 'POST', path: '/hooks', query: null, headers, payload };
  return { id: 'e1', receivedAt: '', tags: [], marks: [], ...request, ...factsOf(request), ...rest };
}

export function familyOf(events: readonly WebhookEvent[], options: Partial<FamilyOptions> = {}): Family {
  return prepareFamily(events, { seed: 7, nonce: 'n0nce', fresh: [], keep: [], ...options });
}

/** The body as latin1: one character, one byte. */
export function bodyOf({ payload }: Pick<WebhookEvent, 'payload'>): string {
  return Buffer.from(payload).toString('latin1');
}

/** One event renewed in a round. */
export function renew(event: WebhookEvent, options: Partial<FamilyOptions> = {}): WebhookEvent {
  return familyOf([event], options).identity('round-1').apply(event);
}

/** Every text and number of parsed JSON by its pointer. */
export function leavesOf(value: unknown, pointer = ''): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map([[pointer, value]]);
  return new Map(Object.entries(value).flatMap(([key, inner]) => [...leavesOf(inner, `${pointer}/${key}`)]));
}
