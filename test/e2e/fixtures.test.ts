import { describe, expect, it } from 'vitest';
import { FIXTURES, findFixture } from '../../src/fixtures/fixtures.ts';
import { parseRawHttp } from '../../src/formats/raw-http.ts';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const cli = (...words: readonly string[]) => runCli(['fixtures', ...words], { cwd: folder });

describe('webhook-replay fixtures', () => {
  it('lists every fixture with what happened', async () => {
    const { stdout, code } = await cli();
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(FIXTURES.length);
    expect(stdout).toMatch(/^stripe\/payment_intent\.succeeded +a payment went through$/m);
  });

  it('lists them as one JSON document', async () => {
    const { stdout } = await cli('--json');
    expect(JSON.parse(stdout).fixtures).toContainEqual(
      expect.objectContaining({ name: 'shopify/orders.paid', provider: 'shopify', type: 'orders/paid' }),
    );
  });

  it('shows one with its headers and body', async () => {
    const { stdout } = await cli('github/issues.closed');
    expect(stdout).toContain('X-GitHub-Event: issues\n');
    expect(stdout).toContain('\n{"action":"closed",');
  });

  it('gives one as the request on the wire, to the byte', async () => {
    const { stdout } = await cli('generic/order.paid', '--raw');
    const { method, path, headers, payload } = findFixture('generic/order.paid');
    const request = parseRawHttp(Buffer.from(stdout));
    expect(request).toMatchObject({ method, path, headers });
    expect(Buffer.from(request.payload).toString()).toBe(Buffer.from(payload).toString());
  });

  it('gives one as a line of JSONL', async () => {
    const { stdout } = await cli('svix/invoice.paid', '--json');
    const event = JSON.parse(stdout);
    expect(event).toMatchObject({ schema: 'webhook-replay/event/1', type: 'invoice.paid', query: null });
    expect(Buffer.from(event.body.data, 'base64')).toEqual(Buffer.from(findFixture('svix/invoice.paid').payload));
  });

  it('asks whether another was meant', async () => {
    const { code, stderr, stdout } = await cli('stripe/payment_intent.suceeded');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Did you mean "stripe/payment_intent.succeeded"?');
  });
});
