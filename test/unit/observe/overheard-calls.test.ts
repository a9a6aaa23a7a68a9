import { expect, it, vi } from 'vitest';
import { overhearCalls } from '../../../src/observe/overheard-calls.ts';

const CALL = Buffer.from('POST /ship HTTP/1.1\r\nHost: a.test\r\nIdempotency-Key: k1\r\nContent-Length: 0\r\n\r\n');
const OTHER = Buffer.from(CALL.toString().replace('k1', 'k2'));

it('takes a call with the same key for the same call, but not one of an earlier round', async () => {
  const { overhear, probeAs } = overhearCalls();
  const probe = probeAs('ship', 'SHIP_URL');
  const hearing = overhear();
  const rows = async () => (await probe.read()).collections[0]?.rows.length;
  await probe.moments?.hold();
  for (const bytes of [CALL, CALL, OTHER]) hearing.said(bytes);
  await vi.waitFor(async () => expect(await rows()).toBe(2));
  await probe.moments?.hold();
  hearing.said(CALL);
  await vi.waitFor(async () => expect(await rows()).toBe(3));
  expect((await probe.moments?.compare())?.before.collections[0]?.rows).toHaveLength(2);
});
