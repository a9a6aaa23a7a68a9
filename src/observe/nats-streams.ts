import type { NatsConnection } from '@nats-io/transport-node';
import type { Row } from '../model/effect.ts';

const TIMEOUT_MS = 2000;

/**
 * The streams of JetStream that keep this subject, a row each: how many messages they ever took. Empty where there is no
 * JetStream, or where we may not ask.
 */
export async function readStreams(connection: NatsConnection, subject: string): Promise<readonly Row[]> {
  const { streams } = await ask<{ streams?: readonly string[] | null }>(connection, 'STREAM.NAMES', { subject });
  const rows: Row[] = [];
  for (const name of streams ?? []) {
    const { state } = await ask<{ state?: { last_seq?: number } }>(connection, `STREAM.INFO.${name}`, {});
    rows.push({ key: name, cells: { stored: state?.last_seq ?? null } });
  }
  return rows.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** An empty answer where nobody answers. */
async function ask<T>(connection: NatsConnection, what: string, request: object): Promise<Partial<T>> {
  const { RequestError } = await import('@nats-io/transport-node');
  try {
    const answer = await connection.request(`$JS.API.${what}`, JSON.stringify(request), { timeout: TIMEOUT_MS });
    return answer.json<T>();
  } catch (error) {
    if (error instanceof RequestError && !connection.isClosed()) return {};
    throw error;
  }
}
