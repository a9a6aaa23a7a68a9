import { setHeaders } from '../deliver/header-option.ts';
import type { EventFacts, RawRequest } from '../model/event.ts';
import { detectProvider } from '../providers/detect.ts';
import { findProvider } from '../providers/list.ts';
import { factsOf } from '../providers/locate.ts';
import { requiredHeaders } from '../providers/required-headers.ts';
import { uniqueUuid } from '../support/random.ts';
import type { Context } from './context.ts';

/** Flags that say what a bare body does not. */
export type BareBodyFlags = {
  readonly provider?: string | undefined;
  readonly type?: string | undefined;
  readonly header?: readonly string[] | undefined;
};

/** Gives a bare body the headers its provider sends, and reads the facts out of what results. */
export function completeRequest(
  request: RawRequest,
  { provider, type, header = [] }: BareBodyFlags,
  { clock }: Context,
): RawRequest & EventFacts {
  const given = [...request.headers, ...setHeaders(header)];
  const { payload } = request;
  const sender = provider === undefined ? detectProvider({ headers: given, payload }) : findProvider(provider);
  const headers = requiredHeaders(sender, { payload, type, headers: given, nowMs: clock.epochMs(), uuid: uniqueUuid });
  const completed = { ...request, headers };
  return { ...completed, ...factsOf(completed, sender.id) };
}
