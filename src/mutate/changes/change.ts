import type { Headers, WebhookEvent } from '../../model/event.ts';

/** One way to change what is sent, before it is signed. */
export type Change = {
  readonly id: string;
  /** What the receiver gets, as the rest of a sentence. */
  readonly summary: string;
  /** `undefined` when this event cannot be changed so: its body is no JSON, or holds no such place. */
  readonly apply: (event: WebhookEvent) => Changed | undefined;
};

export type Changed = { readonly payload: Uint8Array; readonly headers?: Headers | undefined };
