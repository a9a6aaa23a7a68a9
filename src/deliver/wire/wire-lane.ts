import type { Socket } from 'node:net';
import type { Clock } from '../../support/clock.ts';
import type { Lane, LaneHooks } from '../connection-pool.ts';
import type { NoResponse } from '../no-response.ts';
import { REUSE_WITHIN_MS } from '../reuse.ts';
import { isOpen, isSecure, type OpenSocket } from './open-socket.ts';
import { type ReadHead, rememberingReadHead } from './response-head.ts';
import { type ReusedMemory, reusedMemory } from './reused-memory.ts';

/** What is heard of the connection while an exchange goes on. */
export type LaneEar = {
  readonly data: (chunk: Buffer) => void;
  /** The receiver has closed its side. */
  readonly end: () => void;
  readonly closed: (failure: Error | undefined) => void;
};

export type WireLane = Lane & {
  /** Calls back with the kept connection, at once, or with a fresh one; `reused` when it has served before. */
  readonly connect: (ready: (opened: Socket | NoResponse, reused: boolean) => void) => void;
  readonly stopConnecting: () => void;
  /** From now on this one hears what comes; nobody, when nothing is to come. */
  readonly hear: (ear: LaneEar | undefined) => void;
  /** Closes the connection; the next exchange gets a fresh one. */
  readonly drop: () => void;
  readonly keepAlive: () => boolean;
  /** Memory for the bytes of a request, good until the next exchange. */
  readonly room: ReusedMemory['room'];
  readonly readHead: ReadHead;
};

/** A connection of our own, kept as long as it may be used again. */
export function wireLanes(openSocket: OpenSocket, clock: Clock): (origin: string, hooks: LaneHooks) => WireLane {
  return (origin, { keepAlive, closedByReceiver }) => {
    let socket: Socket | undefined;
    let connecting: AbortController | undefined;
    let ear: LaneEar | undefined;
    let silentSinceMs = 0;
    const memory = reusedMemory();
    const url = new URL(origin);
    // What is over TLS comes as events.
    const onBytes = isSecure(url) ? undefined : (bytes: Buffer) => hear(bytes);

    const drop = () => {
      const dropped = socket;
      socket = undefined;
      // Some of it may still be on its way.
      memory.leave();
      dropped?.destroy();
    };
    const unasked = () => {
      drop();
      closedByReceiver();
    };
    const hear = (bytes: Buffer) => (ear ? ear.data(bytes) : unasked());
    const keep = (opened: Socket) => {
      let failure: Error | undefined;
      socket = opened;
      if (!onBytes) opened.on('data', hear);
      opened.on('end', () => (ear ? ear.end() : unasked()));
      opened.on('error', (error) => {
        failure = error;
      });
      opened.on('close', () => {
        if (socket !== opened) return;
        socket = undefined;
        if (ear) ear.closed(failure);
        else closedByReceiver();
      });
    };
    const connect: WireLane['connect'] = (ready) => {
      if (socket && clock.now() - silentSinceMs > REUSE_WITHIN_MS) drop();
      if (socket) return ready(socket, true);
      connecting = new AbortController();
      void openSocket(url, { signal: connecting.signal, onBytes }).then((opened) => {
        connecting = undefined;
        if (isOpen(opened)) keep(opened);
        ready(opened, false);
      });
    };
    return {
      connect,
      stopConnecting: () => connecting?.abort(),
      hear: (next) => {
        ear = next;
        silentSinceMs = clock.now();
      },
      drop,
      keepAlive,
      room: memory.room,
      readHead: rememberingReadHead(),
      close: async () => {
        connecting?.abort();
        drop();
      },
    };
  };
}
