import { isReference } from '../config/secrets.ts';
import { hideCredentials } from '../observe/hide-credentials.ts';
import { isCredentialHeader } from '../support/redact.ts';

const HIDDEN = '[secret]';

/** A setting's value as it may be shown: secrets and what opens doors are hidden. */
export function shownValue(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (key === 'secret') return isReference(value) ? value : HIDDEN;
  const [, header] = /^([^:]+):/.exec(value) ?? [];
  if (key === 'header' && header !== undefined && isCredentialHeader(header)) return `${header}: ${HIDDEN}`;
  return hideCredentials(value);
}
