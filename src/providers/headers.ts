import type { Headers } from '../model/event.ts';

/** The first header of that name, in any case. */
export function headerValue(headers: Headers, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([given]) => given.toLowerCase() === wanted)?.[1];
}

export function hasHeader(headers: Headers, name: string): boolean {
  return headerValue(headers, name) !== undefined;
}
