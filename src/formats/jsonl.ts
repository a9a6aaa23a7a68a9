import type { CapturedAnswer, FoundRequest, WebhookEvent } from '../model/event.ts';
import { UserError } from '../support/errors.ts';
import type { Format } from './format.ts';
import { requestOfJson } from './jsonl-line.ts';

const SCHEMA = 'webhook-replay/event/1';

export const jsonl: Format = {
  id: 'jsonl',
  title: 'one event a line, as JSON: what export writes',
  recognises: (bytes, name) => /\.(jsonl|ndjson)$/i.test(name) || startsLikeOurs(bytes),
  parse: parseJsonl,
};

/** One line, with its line end, that `parseJsonl` reads back without loss. */
export function writeJsonlEvent(event: WebhookEvent, answer?: CapturedAnswer): string {
  const { id, receivedAt, provider, type, eventId, deliveryId, occurredAt, resource } = event;
  const { method, path, query, headers, payload, tags, marks, originalBytes } = event;
  const line = {
    schema: SCHEMA,
    id,
    receivedAt,
    provider,
    type,
    eventId,
    deliveryId,
    occurredAt,
    resource,
    method,
    path,
    query,
    headers,
    body: { encoding: 'base64', data: Buffer.from(payload).toString('base64') },
    tags,
    marks: marks.length > 0 ? marks : undefined,
    originalBytes,
    answer,
  };
  return `${JSON.stringify(line)}\n`;
}

function parseJsonl(bytes: Uint8Array, { name }: { readonly name: string }): readonly FoundRequest[] {
  const found: FoundRequest[] = [];
  for (const [index, line] of textOf(bytes, name).split('\n').entries()) {
    if (line.trim() === '') continue;
    found.push(parseLine(line, `${name}:${index + 1}`));
  }
  return found;
}

function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UserError('BAD_JSONL', `${name} is not UTF-8 text.`, {
      hint: 'JSONL is UTF-8; bodies are base64 in it.',
    });
  }
}

function parseLine(line: string, place: string): FoundRequest {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new UserError('BAD_JSONL', `${place}: this line is not JSON.`, {
      hint: 'JSONL holds one complete JSON object on each line. Nothing of this file was imported.',
    });
  }
  const { request, problem } = requestOfJson(value, SCHEMA);
  if (request) return request;
  throw new UserError('BAD_JSONL', `${place}: ${problem}.`, {
    hint: 'A line looks like {"method":"POST","path":"/hooks","headers":[["Name","value"]],"body":{"encoding":"base64","data":"..."}}. Nothing of this file was imported.',
  });
}

function startsLikeOurs(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('utf8');
  return /^\ufeff?\s*\{\s*"schema"\s*:\s*"webhook-replay\/event\//.test(start);
}
