import type { Send, SendTogether } from '../model/attempt.ts';
import type { Clock } from '../support/clock.ts';
import { createHttpSend } from './http-send.ts';
import { createLanes } from './lanes.ts';
import { createSendTogether } from './send-together.ts';
import { socketOpener, type TlsChoices } from './wire/open-socket.ts';

export type SenderSetup = TlsChoices & {
  /** `sentMs` and `doneMs` are readings of this clock. */
  readonly clock: Clock;
  /** The most connections kept to one receiver by `send`; further sends wait for a free one. */
  readonly connections: number;
};

export type Sender = {
  readonly send: Send;
  readonly sendTogether: SendTogether;
  /** Breaks off what is open. */
  readonly close: () => Promise<void>;
};

/** The one place where requests leave us. Never follows a redirect, never retries, never uses a proxy. */
export function createSender({ clock, connections, ...tls }: SenderSetup): Sender {
  const openSocket = socketOpener(tls);
  const lanes = createLanes({ openSocket, connections });
  return {
    send: createHttpSend({ clock, lanes }),
    sendTogether: createSendTogether({ clock, openSocket }),
    close: lanes.close,
  };
}
