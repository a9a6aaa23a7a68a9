import type { Socket } from 'node:net';
import type { Outcome } from '../../model/attempt.ts';
import { brokenExchange, notHttp } from '../no-response.ts';
import type { ResponseParser } from './response-parser.ts';

/**
 * Reads the answer on a socket of its own, from now on: it may come before the request is complete.
 * Ends with the answer or with the connection, then the socket is destroyed. Never rejects.
 */
export function readAnswer(
  socket: Socket,
  url: URL,
  { parser, onFirstByte }: { readonly parser: ResponseParser; readonly onFirstByte?: (() => void) | undefined },
): Promise<Outcome> {
  return new Promise((resolve) => {
    let failure: Error | undefined;
    const settle = (outcome: Outcome) => {
      resolve(outcome);
      socket.destroy();
    };
    const look = (state: ReturnType<ResponseParser['end']>) => {
      if (state.kind === 'done') settle(state.response);
      if (state.kind === 'broken') settle(notHttp(url, state.detail));
    };
    if (onFirstByte) socket.once('data', onFirstByte);
    socket.on('data', (chunk: Buffer) => look(parser.push(chunk)));
    socket.on('end', () => look(parser.end()));
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('close', () => settle(brokenExchange(url, failure, { status: parser.status(), reused: false })));
  });
}
