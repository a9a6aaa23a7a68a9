import type { WebhookEvent } from '../model/event.ts';
import type { Change } from './changes/change.ts';
import { MALFORMED } from './changes/malformed.ts';
import { ODD_BYTES } from './changes/odd-bytes.ts';
import { POISON } from './changes/poison.ts';
import { reserialised } from './changes/reserialised.ts';
import { unknownType } from './changes/unknown-type.ts';

/** To add a change: one file in changes/, one line here. */
export const CHANGES: readonly Change[] = [reserialised, ...ODD_BYTES, ...MALFORMED, ...POISON, unknownType];

/** The event as it goes out changed; `undefined` when it cannot be changed so. */
export function changeEvent(event: WebhookEvent, id: string): WebhookEvent | undefined {
  const change = CHANGES.find((one) => one.id === id);
  if (!change) throw new Error(`A plan names a change that does not exist: ${id}`);
  const changed = change.apply(event);
  return changed && { ...event, payload: changed.payload, headers: changed.headers ?? event.headers };
}
