import { createHash } from 'node:crypto';

const MAX_SHOWN = 64 * 1024;

/** Text as it is; bytes that are no text, and what is too long to show, by their digest. */
export function shownBytes(bytes: Uint8Array, digest = digestOf(bytes)): string {
  if (bytes.length > MAX_SHOWN) return digest;
  return textOfBytes(bytes) ?? digest;
}

/** `undefined` for bytes that are no UTF-8. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  return Buffer.from(text, 'utf8').equals(buffer) ? text : undefined;
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')} (${bytes.length} bytes)`;
}
