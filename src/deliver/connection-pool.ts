/** One connection at a time to one origin, for one exchange at a time. */
export type Lane = {
  /** Breaks off what is open. */
  readonly close: () => Promise<void>;
};

export type LaneHooks = {
  /** False once a receiver of this origin has closed a connection without having announced it. */
  readonly keepAlive: () => boolean;
  /** The receiver has closed the connection, or has sent what nobody asked for. */
  readonly closedByReceiver: () => void;
};

export type ConnectionPool<L> = {
  /** Runs the job on a lane, at once when one is free, else in turn. The job calls `free` when its exchange is over. */
  readonly use: (origin: string, job: (lane: L, free: () => void) => void) => void;
  readonly close: () => Promise<void>;
};

export type PoolSetup<L> = {
  /** The most lanes to one origin. */
  readonly connections: number;
  readonly openLane: (origin: string, hooks: LaneHooks) => L;
};

export function createPool<L extends Lane>(setup: PoolSetup<L>): ConnectionPool<L> {
  const origins = new Map<string, Origin<L>>();
  const originOf = (origin: string) => {
    const known = origins.get(origin) ?? createOrigin(origin, setup);
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

type Job<L> = (lane: L, free: () => void) => void;
type Origin<L> = { readonly use: (job: Job<L>) => void; readonly close: () => Promise<unknown> };

function createOrigin<L extends Lane>(origin: string, { connections, openLane }: PoolSetup<L>): Origin<L> {
  const lanes: L[] = [];
  const idle = new Set<L>();
  const waiting: Array<Job<L>> = [];
  let keepAlive = true;

  const run = (lane: L, job: Job<L>) => {
    idle.delete(lane);
    job(lane, () => {
      const next = waiting.shift();
      if (next) run(lane, next);
      else idle.add(lane);
    });
  };
  const open = () => {
    const lane = openLane(origin, {
      keepAlive: () => keepAlive,
      closedByReceiver: () => {
        if (idle.has(lane)) keepAlive = false;
      },
    });
    lanes.push(lane);
    return lane;
  };
  return {
    use: (job) => {
      const [free] = idle;
      if (free) run(free, job);
      else if (lanes.length < connections) run(open(), job);
      else waiting.push(job);
    },
    close: () => Promise.all(lanes.map((lane) => lane.close())),
  };
}
