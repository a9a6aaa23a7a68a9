import Client from 'undici/lib/dispatcher/client.js';
import { ConnectFailure } from './no-response.ts';
import { isOpen, type OpenSocket } from './wire/open-socket.ts';

/**
 * How long a connection may lie idle before it is used again. Short, because a receiver may close an idle connection
 * at any moment, and a delivery that meets the close looks like one that the receiver dropped.
 */
const REUSE_WITHIN_MS = 1000;

/** One connection at a time to one origin, for one exchange at a time. */
export type Lane = {
  readonly client: Client;
  /** True when the next exchange goes over a connection that has served before. */
  readonly reuses: () => boolean;
  /** False once a receiver of this origin has closed a connection without having announced it. */
  readonly keepAlive: () => boolean;
  readonly stopConnecting: () => void;
};

export type Lanes = {
  /** Runs the job on a lane, at once when one is free, else in turn. The job calls `free` when its exchange is over. */
  readonly use: (origin: string, job: (lane: Lane, free: () => void) => void) => void;
  readonly close: () => Promise<void>;
};

export type LanesSetup = {
  readonly openSocket: OpenSocket;
  /** The most connections to one origin. */
  readonly connections: number;
};

export function createLanes({ openSocket, connections }: LanesSetup): Lanes {
  const origins = new Map<string, ReturnType<typeof createOrigin>>();
  const originOf = (origin: string) => {
    const known = origins.get(origin) ?? createOrigin(origin, { openSocket, connections });
    origins.set(origin, known);
    return known;
  };
  return {
    use: (origin, job) => originOf(origin).use(job),
    close: async () => {
      await Promise.all([...origins.values()].map((origin) => origin.close()));
    },
  };
}

type Job = (lane: Lane, free: () => void) => void;

function createOrigin(origin: string, { openSocket, connections }: LanesSetup) {
  const lanes: Lane[] = [];
  const idle = new Set<Lane>();
  const waiting: Job[] = [];
  let keepAlive = true;

  const run = (lane: Lane, job: Job) => {
    idle.delete(lane);
    job(lane, () => {
      const next = waiting.shift();
      if (next) run(lane, next);
      else idle.add(lane);
    });
  };
  const open = () => {
    const lane = openLane(origin, {
      openSocket,
      keepAlive: () => keepAlive,
      closedByReceiver: () => {
        if (idle.has(lane)) keepAlive = false;
      },
    });
    lanes.push(lane);
    return lane;
  };
  return {
    use: (job: Job) => {
      const [free] = idle;
      if (free) run(free, job);
      else if (lanes.length < connections) run(open(), job);
      else waiting.push(job);
    },
    close: async () => {
      await Promise.all(lanes.map(({ client }) => client.destroy()));
    },
  };
}

type LaneSetup = {
  readonly openSocket: OpenSocket;
  readonly keepAlive: () => boolean;
  readonly closedByReceiver: () => void;
};

function openLane(origin: string, { openSocket, keepAlive, closedByReceiver }: LaneSetup): Lane {
  let connecting: AbortController | undefined;
  let connected = false;
  const client = new Client(origin, {
    connect: (_options, callback) => {
      connecting = new AbortController();
      void openSocket(new URL(origin), connecting.signal).then((opened) => {
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
  return { client, reuses: () => connected, keepAlive, stopConnecting: () => connecting?.abort() };
}
