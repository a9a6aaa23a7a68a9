import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { describe, expect, it } from 'vitest';
import { effectsOf, openSource } from '../../support/probes.ts';

async function open() {
  const probe = await openSource('smtp:0');
  const url = new URL(probe.url ?? '');
  const send = async (mail: Parameters<ReturnType<typeof createTransport>['sendMail']>[0]) => {
    const transport = createTransport({ url: url.href });
    await transport.sendMail({ from: 'shop@shop.test', ...mail });
    transport.close();
  };
  return { probe, url, send };
}

describe('smtp', () => {
  it('shows each mail by envelope, subject and body', async () => {
    const { probe, send } = await open();
    const effects = await effectsOf(probe, async () => {
      await send({ to: 'ann@shop.test', bcc: 'audit@shop.test', subject: 'Grüße, order 7', text: 'Thank you — 7\n' });
      await send({
        to: 'ann@shop.test',
        subject: 'Again',
        html: '<b>7</b>',
        attachments: [{ filename: 'a.txt', content: 'x' }],
      });
    });
    expect(effects.map(({ kind, collection, key, after }) => [kind, collection, key, after])).toEqual([
      [
        'added',
        'mails',
        '1',
        {
          from: 'shop@shop.test',
          to: 'ann@shop.test, audit@shop.test',
          subject: 'Grüße, order 7',
          body: 'Thank you — 7',
        },
      ],
      [
        'added',
        'mails',
        '2',
        {
          from: 'shop@shop.test',
          to: 'ann@shop.test',
          subject: 'Again',
          body: '<b>7</b>',
          attachments: 'a.txt (1 bytes, sha256:2d711642b726b044)',
        },
      ],
    ]);
  });

  it('lets in whoever gives a password, and keeps none', async () => {
    const { probe, url } = await open();
    const effects = await effectsOf(probe, async () => {
      const transport = createTransport({
        host: url.hostname,
        port: Number(url.port),
        auth: { user: 'ann', pass: 'hunter2' },
      });
      await transport.sendMail({ from: 'a@shop.test', to: 'b@shop.test', subject: 's', text: 't' });
      transport.close();
    });
    expect(effects).toHaveLength(1);
    expect(JSON.stringify(effects)).not.toContain('hunter2');
  });

  it.each([
    ['recipient', ['HELO me\r\n', 'MAIL FROM:<a@shop.test>\r\n', 'RCPT TO:<b@shop.test>\r\n']],
    ['text', ['HELO me\r\n', 'MAIL FROM:<a@shop.test>\r\n', 'RCPT TO:<b@shop.test>\r\n', 'DATA\r\n', 'Subject: half']],
  ])(
    'is not quiet while a mail is coming in, and is again when its sender broke off after the %s',
    async (_after, given) => {
      const { probe, url } = await open();
      const socket = connect(Number(url.port), url.hostname);
      const words = [...given];
      socket.on('data', () => socket.write(words.shift() ?? ''));
      await expect.poll(() => probe.isBusy?.()).toBe(true);
      socket.destroy();
      await expect.poll(() => probe.isBusy?.()).toBe(false);
      expect((await probe.read()).collections[0]?.rows).toEqual([]);
    },
  );

  it('says so when the port is taken', async () => {
    const { url } = await open();
    await expect(openSource(`smtp:${url.port}`)).rejects.toMatchObject({
      code: 'CANNOT_LISTEN',
      exitCode: 2,
      message: expect.stringContaining('the address is in use already'),
    });
  });
});
