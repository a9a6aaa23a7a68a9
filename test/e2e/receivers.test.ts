import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { findFixture } from '../../src/fixtures/fixtures.ts';
import { RECEIVERS } from '../../src/fixtures/receivers/start.ts';
import { runCli } from '../support/cli.ts';
import { orderEvent } from '../support/order-event.ts';
import { post } from '../support/raw-post.ts';
import { startReceiverProcess } from '../support/receiver.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();

const cli = (...words: readonly string[]) => runCli(words, { cwd: folder });

describe('webhook-replay receiver', () => {
  it('says where it listens, where its rows are and that signatures are not checked', async () => {
    const receiver = await startReceiverProcess(folder, ['transaction']);
    expect(receiver.stderr()).toContain(`the receiver transaction listens on ${new URL(receiver.url).origin}\n`);
    expect(receiver.stderr()).toContain(`--effect sqlite:${receiver.db}\n`);
    expect(receiver.stderr()).toContain('not checked');
    expect((await fetch(new URL('/health', receiver.url))).status).toBe(200);
  });

  it('writes its URL to a file, whole or not at all', async () => {
    const receiver = await startReceiverProcess(folder, ['naive', '--ready-file', 'url.txt']);
    await vi.waitFor(() => expect(existsSync(join(folder, 'url.txt'))).toBe(true));
    expect(readFileSync(join(folder, 'url.txt'), 'utf8')).toBe(`${new URL(receiver.url).origin}\n`);
  });

  it('gives tables, columns and the route the names that the number draws', async () => {
    const first = await startReceiverProcess(folder, ['transaction', '--rename', '7']);
    const second = await startReceiverProcess(folder, ['transaction', '--rename', '7']);
    expect(second.names).toEqual(first.names);
    expect(new URL(second.url).pathname).toBe(new URL(first.url).pathname);
    expect(first.names?.['orders']).not.toBe('orders');
    expect(first.stderr()).toContain(`listens on ${first.url}\n`);
    expect((await post(new URL('/webhooks', first.url).href, orderEvent())).status).toBe(404);
    expect(await post(first.url, orderEvent())).toMatchObject({ status: 200 });
    const reader = new Database(first.db, { readonly: true });
    const columns = reader
      .prepare<[], object>(`SELECT * FROM ${first.names?.['orders']}`)
      .all()
      .flatMap((row) => Object.keys(row));
    reader.close();
    expect(columns).toHaveLength(9);
    expect(columns.filter((column) => Object.hasOwn(first.names ?? {}, column))).toEqual([]);
  });

  it('keeps its rows over a restart', async () => {
    const words = ['transaction', '--db', 'kept.db'];
    const first = await startReceiverProcess(folder, words);
    await post(first.url, orderEvent());
    await first.stop();
    const second = await startReceiverProcess(folder, words);
    expect(await post(second.url, orderEvent())).toMatchObject({ body: { status: 'duplicate_skipped' } });
    expect(second.rows('orders')).toHaveLength(1);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('finishes what it has accepted on %s', async (signal) => {
    const receiver = await startReceiverProcess(folder, ['ledger', '--effect-delay', '300ms']);
    expect(await post(receiver.url, orderEvent())).toEqual({ status: 202, body: { status: 'accepted' } });
    expect(receiver.rows('orders')).toEqual([]);
    expect(await receiver.stop(signal)).toBe(130);
    expect(receiver.rows('orders')).toHaveLength(1);
  });

  it('checks signatures once it has a secret, and never shows it', async () => {
    const env = { STRIPE_SECRET: 'whsec_kept_in_the_environment' };
    const words = ['transaction', '--provider', 'stripe', '--secret', 'env:STRIPE_SECRET', '--verbose'];
    const receiver = await startReceiverProcess(folder, words, { env });
    const payload = Buffer.from(findFixture('stripe/payment_intent.succeeded').payload).toString();
    const signed = (secret: string) => ({
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }),
    });
    expect(await post(receiver.url, payload, signed('whsec_of_somebody_else'))).toMatchObject({ status: 401 });
    expect(await post(receiver.url, payload)).toMatchObject({ status: 401 });
    expect(receiver.rows('webhook_events')).toEqual([]);
    expect(await post(receiver.url, payload, signed(env.STRIPE_SECRET))).toMatchObject({ status: 200 });
    expect(receiver.rows('orders')).toMatchObject([{ order_ref: 'SO-2026-2M8X5V1K', amount: 4990 }]);
    expect(receiver.stderr()).toContain('checked as stripe with env:STRIPE_SECRET');
    expect(receiver.stderr()).not.toContain(env.STRIPE_SECRET);
  });

  it('accepts the old and the new secret', async () => {
    const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV2b5sSYspob7oD'];
    const words = ['ledger', '--provider', 'standard-webhooks', ...secrets.flatMap((secret) => ['--secret', secret])];
    const receiver = await startReceiverProcess(folder, words);
    const payload = Buffer.from(findFixture('standard-webhooks/order.paid').payload).toString();
    for (const [index, secret] of secrets.entries()) {
      const headers = {
        'webhook-id': `msg_${index}`,
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': new Webhook(secret).sign(`msg_${index}`, new Date(), payload),
      };
      expect(await post(receiver.url, payload, headers)).toMatchObject({ status: 200, body: { status: 'processed' } });
    }
  });

  it('names receivers and faults, for people and for programs', async () => {
    const text = await cli('receiver', '--list');
    expect(text.stdout).toMatch(/^ {2}transaction +event id and business change/m);
    expect(text.stdout).toMatch(/^ {2}stale-overwrite +.*\(ledger-lease, transaction, layers\)$/m);
    const json = await cli('receiver', '--list', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      receivers: RECEIVERS.map(({ name, summary }) => ({ name, summary })),
    });
  });

  it('takes the base of a fault when no receiver is named', async () => {
    const receiver = await startReceiverProcess(folder, ['--fault', 'stale-overwrite']);
    expect(receiver.stderr()).toContain('the receiver transaction listens');
  });

  it.each([
    [['receiver'], 'No receiver was named.'],
    [['receiver', 'ledgr'], 'Did you mean "ledger"?'],
    [['receiver', 'ledger', '--fault', 'no-gard'], 'Did you mean "no-guard"?'],
    [['receiver', 'ledger', '--fault', 'stale-overwrite'], 'These can: ledger-lease, transaction, layers.'],
    [['receiver', 'ledger', '--port', '70000'], '"70000" does not fit -p, --port <number>.'],
    [['receiver', 'ledger', '--answers', '500,oops'], '"500,oops" does not fit --answers <statuses>.'],
    [['receiver', 'ledger', '--secret', 'literal'], 'how it signs (--provider)'],
    [['receiver', 'ledger', '--provider', 'strpe'], 'Did you mean "stripe"?'],
    [['receiver', 'ledger', '--provider', 'stripe', '--secret', 'env:NOT_SET'], 'NOT_SET'],
    [
      ['receiver', 'ledger', '--db', 'mysql://me:pw@localhost/x'],
      '"mysql://***@localhost/x" is no database of a receiver (--db).',
    ],
    [['receiver', 'ledger', '--db', 'env:NOT_SET'], 'Set the environment variable NOT_SET.'],
    [['receiver', 'ledger', '--db', 'sqlite:no/such/folder/x.db'], 'cannot be used'],
    [['receiver', 'ledger', '--call', 'ftp://x'], '"ftp://x" is no http address (--call).'],
    [['receiver', 'ledger', '--effect-delay', '5'], 'Add a unit'],
    [['receiver', 'ground-truth', '--total-only'], 'Leave --total-only and --no-db-rows away.'],
    [['receiver', 'transaction', '--api', 'http://127.0.0.1:1'], 'no use for --api'],
    [['receiver', 'ground-truth', '--api', 'env:NOT_SET'], 'NOT_SET'],
    [['receiver', 'layers', '--keep-receipts', '7d'], '30d or more'],
    [['receiver', 'transaction', '--buffer', '7s'], 'The receiver "transaction" has no use for --buffer.'],
    [['receiver', 'ledger', '--rename', 'x'], '"x" does not fit --rename'],
    [['receiver', '--fault', 'no-signature-check'], 'Add --provider and --secret.'],
    [
      ['receiver', '--fault', 'stale-accepted', '--provider', 'github', '--secret', 's'],
      'svix or standard-webhooks: these sign the time.',
    ],
  ])('refuses %j with exit code 2', async (words, message) => {
    const { code, stderr, stdout } = await cli(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('says so when the port is taken', async () => {
    const { url } = await startReceiverProcess(folder, ['naive']);
    const { code, stderr } = await cli('receiver', 'naive', '--port', new URL(url).port);
    expect(code).toBe(2);
    expect(stderr).toContain('cannot be opened');
  });
});

describe('a receiver that is killed while it calls', () => {
  /** Holds every answer back until `answer` is called. */
  async function heldService() {
    const waiting: ServerResponse[] = [];
    const server = createServer((_request, response) => void waiting.push(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/shipments`;
    return { url, waiting };
  }

  async function killedWhileCalling(design: string) {
    const service = await heldService();
    const words = [design, '--db', `killed-${design}.db`, '--call', service.url];
    const first = await startReceiverProcess(folder, words);
    const lost = post(first.url, orderEvent()).catch(() => 'no answer');
    await vi.waitFor(() => expect(service.waiting).toHaveLength(1), 5000);
    await first.stop('SIGKILL');
    await lost;
    const second = await startReceiverProcess(folder, words);
    const retry = post(second.url, orderEvent());
    return { service, retry, second };
  }

  it('calls again on the retry when it is "transaction", for the one order', async () => {
    const { service, retry, second } = await killedWhileCalling('transaction');
    await vi.waitFor(() => expect(service.waiting).toHaveLength(2), 5000);
    service.waiting[1]?.end();
    expect(await retry).toMatchObject({ status: 200 });
    expect(second.rows('orders')).toHaveLength(1);
  });

  it('has lost the call when it is "ledger"', async () => {
    const { service, retry } = await killedWhileCalling('ledger');
    expect(await retry).toMatchObject({ status: 200, body: { status: 'duplicate_ignored' } });
    expect(service.waiting).toHaveLength(1);
  });
});
