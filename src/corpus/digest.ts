import { createHash } from 'node:crypto';
import type { RawRequest } from '../model/event.ts';

/** Sixteen bytes that are equal when every byte of the request is: method, target, headers in order, payload. */
export function digestOf(request: RawRequest): Buffer {
  const head = JSON.stringify([request.method, request.path, request.query, request.headers]);
  return createHash('sha256').update(`${head}\n`).update(request.payload).digest().subarray(0, 16);
}
