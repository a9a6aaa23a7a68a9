import type { Headers } from '../model/event.ts';
import { isoTime } from '../support/clock.ts';
import { UserError } from '../support/errors.ts';
import { eventIdInBody, typeInBody } from './locate.ts';
import type { Provider } from './provider.ts';

export type BareBody = {
  readonly payload: Uint8Array;
  /** From the user; else the body's own. */
  readonly type?: string | undefined;
  readonly nowMs: number;
  /** A new UUID at each call. */
  readonly uuid: () => string;
  /** Headers the user gave: they replace those of the same name, and what they hold need not be known otherwise. */
  readonly headers?: Headers | undefined;
};

/** The headers that make a bare body look like the provider's own delivery, still unsigned. What cannot be filled is a `UserError`. */
export function requiredHeaders(provider: Provider, body: BareBody): Headers {
  const given = body.headers ?? [];
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  const own = provider.requestHeaders.filter(([name]) => !names.has(name.toLowerCase()));
  return [...own.map(([name, value]) => [name, fill(value, name, { provider, body })] as const), ...given];
}

type Filling = { readonly provider: Provider; readonly body: BareBody };

function fill(template: string, header: string, { provider, body }: Filling): string {
  return template.replace(/\{(\w+)\}/g, (_, placeholder: string) => {
    switch (placeholder) {
      case 'type':
        return typeFor(header, { provider, body });
      case 'event':
        return typeFor(header, { provider, body }).split('.')[0] ?? '';
      case 'eventId':
        return eventIdInBody(provider, body.payload) ?? body.uuid();
      case 'uuid':
        return body.uuid();
      case 'now':
        return isoTime(body.nowMs);
      case 'seconds':
        return String(Math.floor(body.nowMs / 1000));
      default:
        throw new Error(`"{${placeholder}}" is no placeholder of a request header`);
    }
  });
}

function typeFor(header: string, { provider, body }: Filling): string {
  const type = body.type ?? typeInBody(provider, body.payload);
  if (type !== undefined) return type;
  throw new UserError(
    'TYPE_UNKNOWN',
    `${provider.name} sends the event's type in the header "${header}", and the body does not say it.`,
    { hint: `Name it with --type, or give the header with -H '${header}: ...'.` },
  );
}
