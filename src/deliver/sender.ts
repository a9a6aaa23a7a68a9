import type { Send, SendTogether } from '../model/attempt.ts';
import type { Clock } from '../support/clock.ts';
import { createPool } from './connection-pool.ts';
import { createHttpSend } from './http-send.ts';
import { createSendTogether } from './send-together.ts';
import { undiciLanes } from './undici-lane.ts';
import { socketOpener, type TlsChoices } from './wire/open-socket.ts';
import { wireLanes } from './wire/wire-lane.ts';
import { createWireSend } from './wire-send.ts';

export type SenderSetup = TlsChoices & {
  /** `sentMs` and `doneMs` are readings of this clock. */
  readonly clock: Clock;
  /** The most connections kept to one receiver by `send`, and by `sendMany`; further sends wait for a free one. */
  readonly connections: number;
};

export type Sender = {
  readonly send: Send;
  /** The same at about half the cost, over sockets of our own: for plans of thousands of deliveries. */
  readonly sendMany: Send;
  readonly sendTogether: SendTogether;
  /** Breaks off what is open. */
  readonly close: () => Promise<void>;
};

/** The one place where requests leave us. Never follows a redirect, never retries, never uses a proxy. */
export function createSender({ clock, connections, ...tls }: SenderSetup): Sender {
  const openSocket = socketOpener(tls);
  const lanes = createPool({ connections, openLane: undiciLanes(openSocket) });
  const ownLanes = createPool({ connections, openLane: wireLanes(openSocket, clock) });
  return {
    send: createHttpSend({ clock, lanes }),
    sendMany: createWireSend({ clock, lanes: ownLanes }),
    sendTogether: createSendTogether({ clock, openSocket }),
    close: async () => {
      await Promise.all([lanes.close(), ownLanes.close()]);
    },
  };
}
