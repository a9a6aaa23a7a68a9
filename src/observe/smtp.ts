import type { AddressInfo } from 'node:net';
import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import { UserError } from '../support/errors.ts';
import { createIncoming } from './incoming.ts';
import { cannotListen, hostAndPort, type ListenAddress, parseListenAddress } from './listen-address.ts';
import { readMail } from './mail.ts';
import type { Source, SourceAddress, UnopenedSource } from './source.ts';

const MAX_BYTES = 32 * 1024 * 1024;

/** We listen, on loopback unless told otherwise, as the server that takes mails and sends none on; each mail is a row of the collection `mails`. */
export const smtp: Source = { scheme: 'smtp', form: 'smtp:PORT or smtp:HOST:PORT', parse: parseSmtp };

function parseSmtp({ text, rest }: SourceAddress): UnopenedSource {
  const address = parseListenAddress(rest);
  if (!address) {
    throw new UserError('BAD_EFFECT', `"${text}" has no port: "${rest}" is not one (--effect).`, {
      hint: `Write it as ${smtp.form}.`,
    });
  }
  return {
    defaultName: 'smtp',
    listens: true,
    open: async (name) => {
      const mails = createIncoming('mails');
      const server = await createSink(mails);
      const port = await listen(server, address, text);
      return {
        name,
        source: text,
        url: `smtp://${hostAndPort({ ...address, port })}`,
        read: async () => ({ collections: [mails.collection()] }),
        version: async () => mails.version(),
        isBusy: mails.isBusy,
        close: () => close(server),
      };
    },
  };
}

/** Takes whatever is sent, from whoever says who he is. */
async function createSink(mails: ReturnType<typeof createIncoming>): Promise<SMTPServer> {
  const { SMTPServer } = await import('smtp-server');
  const open = new Map<string, number>();
  const end = ({ id }: SMTPServerSession) => {
    const number = open.get(id);
    open.delete(id);
    if (number !== undefined) mails.done(number);
  };
  return new SMTPServer({
    name: 'webhook-replay',
    size: MAX_BYTES,
    authOptional: true,
    allowInsecureAuth: true,
    // The certificate would be one that nobody trusts.
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 0,
    onAuth: (_auth, _session, done) => done(null, { user: 'anybody' }),
    onMailFrom: (_address, session, done) => {
      end(session);
      open.set(session.id, mails.begin());
      done();
    },
    onData: (stream, session, done) => {
      readMail(stream, session.envelope)
        .then((cells) => {
          const number = open.get(session.id) ?? mails.begin();
          // A mail that is refused is not sent; its sender knows.
          if (!stream.sizeExceeded) mails.record(number, cells);
          const tooLong = Object.assign(new Error('The mail is too long'), { responseCode: 552 });
          done(stream.sizeExceeded ? tooLong : null);
        })
        .catch((error: Error) => done(error))
        .finally(() => end(session));
    },
    onClose: end,
  });
}

async function listen(server: SMTPServer, { host, port }: ListenAddress, source: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen(source, cause)));
    server.listen(port, host, resolve);
  });
  // A client that breaks off, or speaks no SMTP, is the receiver's affair.
  server.on('error', () => {});
  return (server.server.address() as AddressInfo).port;
}

function close(server: SMTPServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
