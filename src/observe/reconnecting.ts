import { ProbeError } from '../support/errors.ts';

export type Reconnecting<Connection> = {
  /** The connection that there is, or a new one. Throws what connecting throws, and `ProbeError` once this was closed. */
  readonly get: () => Promise<Connection>;
  readonly current: () => Connection | undefined;
  /** The next one to ask gets a new connection; this one is ended, without waiting for it. */
  readonly drop: () => void;
  /** For good: a look that still goes on, because nobody waits for it any more, makes no new connection behind our back. */
  readonly close: () => Promise<void>;
};

/** A connection that is made when it is needed, and anew after a loss. */
export function reconnecting<Connection>(
  connect: () => Promise<Connection>,
  end: (connection: Connection) => Promise<unknown>,
): Reconnecting<Connection> {
  let current: Connection | undefined;
  let closed = false;
  const ended = async (connection: Connection) => void (await end(connection).catch(() => {}));
  return {
    get: async () => {
      if (closed) throw wasClosed();
      current ??= await connect();
      if (!closed) return current;
      await ended(current);
      throw wasClosed();
    },
    current: () => current,
    drop: () => {
      if (current !== undefined) void ended(current);
      current = undefined;
    },
    close: async () => {
      closed = true;
      if (current !== undefined) await ended(current);
      current = undefined;
    },
  };
}

function wasClosed(): ProbeError {
  return new ProbeError('The source was closed while it was read.');
}
