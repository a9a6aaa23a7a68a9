import type { RawRequest } from '../model/event.ts';
import { hasHeader } from '../support/headers.ts';
import { generic } from './generic.ts';
import { PROVIDERS } from './list.ts';
import { type PayloadView, viewPayload } from './payload-view.ts';
import type { Provider } from './provider.ts';

/** Who sent this: by its headers, else by its body, else `generic`. */
export function detectProvider(request: Pick<RawRequest, 'headers' | 'payload'>): Provider {
  return recognise(request, viewPayload(request));
}

export function recognise({ headers }: Pick<RawRequest, 'headers'>, view: PayloadView): Provider {
  return (
    PROVIDERS.find((provider) => hasHeadersOf(provider, headers)) ??
    PROVIDERS.find((provider) => hasBodyOf(provider, headers, view)) ??
    generic
  );
}

function hasHeadersOf(provider: Provider, headers: RawRequest['headers']): boolean {
  return (
    provider.detectHeaders.some((group) => group.every((name) => hasHeader(headers, name))) &&
    !looksAlike(provider, headers)
  );
}

function hasBodyOf(provider: Provider, headers: RawRequest['headers'], view: PayloadView): boolean {
  const pointers = provider.detectBody ?? [];
  return pointers.length > 0 && pointers.every(view.has) && !looksAlike(provider, headers);
}

function looksAlike({ detectNotHeaders = [] }: Provider, headers: RawRequest['headers']): boolean {
  return detectNotHeaders.some((name) => hasHeader(headers, name));
}
