import type { Fixture } from '../fixtures/fixture.ts';
import { FIXTURES, findFixture } from '../fixtures/fixtures.ts';
import { writeRawHttp } from '../formats/raw-http.ts';
import type { Output } from '../support/output.ts';

const ROLES: Record<Fixture['role'], string> = {
  single: '',
  sequence: 'sequence: ',
  'unknown-type': 'unknown type: ',
};

export function fixturesAsText({ paint }: Pick<Output, 'paint'>): string {
  const width = Math.max(...FIXTURES.map(({ name }) => name.length));
  const lines = FIXTURES.map(
    ({ name, role, summary }) => `${paint.bold(name.padEnd(width))}  ${ROLES[role]}${summary}`,
  );
  return `${lines.join('\n')}\n`;
}

export function fixturesDocument() {
  const fixtures = FIXTURES.map(({ name, summary, role, facts }) => ({ name, summary, role, ...facts }));
  return { schema: 'webhook-replay/fixtures/1', fixtures };
}

/** The event as one line of JSONL, so that `import` takes it. */
export function fixtureDocument({ name }: Fixture) {
  const { payload, receivedAt, provider, type, eventId, deliveryId, occurredAt, resource, ...event } =
    findFixture(name);
  const { method, path, query, headers, tags } = event;
  const body = { encoding: 'base64', data: Buffer.from(payload).toString('base64') };
  const facts = { provider, type, eventId, deliveryId, occurredAt, resource };
  const schema = 'webhook-replay/event/1';
  return { schema, receivedAt, ...facts, method, path, query, headers, body, tags };
}

export function fixtureAsRequest({ name }: Fixture): Uint8Array {
  return writeRawHttp(findFixture(name));
}

export function fixtureAsText(
  { name, summary, facts, headers, body }: Fixture,
  { paint }: Pick<Output, 'paint'>,
): string {
  const lines = [
    `${paint.bold(name)}: ${summary}`,
    `  provider  ${facts.provider}`,
    `  type      ${facts.type ?? '-'}`,
    `  event id  ${facts.eventId ?? '-'}`,
    `  resource  ${facts.resource ?? '-'}`,
    `  happened  ${facts.occurredAt ?? 'not said'}`,
    '',
    ...headers.map(([header, value]) => `${paint.cyan(header)}: ${value}`),
    '',
    body.trimEnd(),
  ];
  return `${lines.join('\n')}\n`;
}
