import { createHash } from 'node:crypto';
import type { Secret } from '../../src/model/sign.ts';

export function secretOf(value: string, name = 'literal'): Secret {
  return { name, value, fingerprint: createHash('sha256').update(value).digest('hex').slice(0, 8) };
}
