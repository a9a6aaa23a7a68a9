import Client from 'undici/lib/dispatcher/client.js';
import type { Lane, LaneHooks } from './connection-pool.ts';
import { ConnectFailure } from './no-response.ts';
import { REUSE_WITHIN_MS } from './reuse.ts';
import { isOpen, type OpenSocket } from './wire/open-socket.ts';

export type UndiciLane = Lane & {
  readonly client: Client;
  /** True when the next exchange goes over a connection that has served before. */
  readonly reuses: () => boolean;
  readonly keepAlive: () => boolean;
  readonly stopConnecting: () => void;
};

export function undiciLanes(openSocket: OpenSocket): (origin: string, hooks: LaneHooks) => UndiciLane {
  return (origin, { keepAlive, closedByReceiver }) => {
    let connecting: AbortController | undefined;
    let connected = false;
    const client = new Client(origin, {
      connect: (_options, callback) => {
        connecting = new AbortController();
        void openSocket(new URL(origin), { signal: connecting.signal }).then((opened) => {
          if (isOpen(opened)) callback(null, opened);
          else callback(new ConnectFailure(opened), null);
        });
      },
      pipelining: 1,
      keepAliveTimeout: REUSE_WITHIN_MS,
      keepAliveMaxTimeout: REUSE_WITHIN_MS,
      // A receiver that promises to keep it for 2 s gets its connection used for 1 s.
      keepAliveTimeoutThreshold: REUSE_WITHIN_MS,
      // Our own limits: undici's timers are coarse.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 256 * 1024,
    });
    client.on('connect', () => {
      connecting = undefined;
      connected = true;
    });
    client.on('disconnect', (_origin, _targets, error) => {
      connected = false;
      if ((error as NodeJS.ErrnoException).code !== 'UND_ERR_INFO') closedByReceiver();
    });
    return {
      client,
      reuses: () => connected,
      keepAlive,
      stopConnecting: () => connecting?.abort(),
      close: () => client.destroy(),
    };
  };
}
