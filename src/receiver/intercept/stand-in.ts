import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Hearing, Overhear } from '../../model/receiver-control.ts';
import type { Clock } from '../../support/clock.ts';
import { type Fate, type Fates, PASS } from './ambush.ts';
import type { Dependency } from './dependency-address.ts';
import type { Watch } from './watch.ts';

/** Listens on a free port of loopback in the place of a dependency. */
export type StandIn = { readonly port: number; readonly close: () => Promise<void> };

type StandInSetup = {
  readonly dependency: Dependency;
  readonly turnBegins: Watch['turnBegins'];
  readonly overhear?: Overhear | undefined;
  readonly clock: Clock;
};

export async function startStandIn({ dependency, turnBegins, overhear, clock }: StandInSetup): Promise<StandIn> {
  const open = new Set<Socket>();
  const closing = new AbortController();
  let refusedUntilMs = 0;
  const refuse = (forMs: number) => {
    refusedUntilMs = clock.now() + forMs;
    for (const socket of open) socket.resetAndDestroy();
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (clock.now() < refusedUntilMs) {
      client.on('error', () => {}).resetAndDestroy();
      return;
    }
    const { host, port } = dependency;
    const upstream = connect({ host, port, allowHalfOpen: true, noDelay: true });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    }
    const hearing = overhear?.();
    upstream.on('close', () => hearing?.over());
    converse({ client, upstream, refuse, hearing, clock, signal: closing.signal }, (bytes) =>
      turnBegins(dependency.name, bytes),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      closing.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

type Conversation = {
  /** The receiver's side. */
  readonly client: Socket;
  readonly upstream: Socket;
  readonly refuse: (forMs: number) => void;
  readonly hearing: Hearing | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

type TurnBegins = (bytes: Uint8Array) => Fates;

/** Bytes pass as they are. A turn is what the receiver says until it is answered, however many pieces it comes in. */
function converse(conversation: Conversation, turnBegins: TurnBegins): void {
  const { client, upstream } = conversation;
  const toUpstream = passage(client, upstream, conversation);
  const toClient = passage(upstream, client, conversation);
  let answered: (() => Fate) | undefined;
  client.on('data', (bytes: Buffer) => {
    if (answered) return toUpstream(bytes, PASS);
    const turn = turnBegins(bytes);
    answered = turn.answered;
    toUpstream(bytes, turn.fate);
  });
  upstream.on('data', (bytes: Buffer) => {
    const fate = answered?.() ?? PASS;
    answered = undefined;
    toClient(bytes, fate);
  });
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    // What broke for one side breaks for the other, as it would without us.
    from.on('error', () => to.resetAndDestroy());
    from.on('close', () => to.destroy());
  }
}

type Passage = (bytes: Buffer, fate: Fate) => void;

/** One direction; a stall holds back what comes behind it, too. */
function passage(from: Socket, to: Socket, conversation: Conversation): Passage {
  const { client, upstream, refuse, hearing, clock, signal } = conversation;
  const heard = to === upstream ? hearing : undefined;
  let stalled: Promise<void> | undefined;
  let dropping = false;
  const write = (bytes: Buffer) => {
    // What was never handed over, since nobody took the connection, is told to nobody.
    if (to.destroyed || to.write(bytes, (error) => error || heard?.said(bytes))) return;
    from.pause();
    to.once('drain', () => from.resume());
  };
  from.on('end', () => void (stalled ?? Promise.resolve()).then(() => to.end()));
  return (bytes, fate) => {
    if (dropping) return;
    switch (fate.kind) {
      case 'pass':
        if (stalled) stalled = stalled.then(() => write(bytes));
        else write(bytes);
        return;
      case 'drop':
        dropping = true;
        return;
      case 'cut':
        client.resetAndDestroy();
        upstream.destroy();
        return;
      case 'refuse':
        return refuse(fate.forMs);
      case 'stall':
        stalled = (stalled ?? Promise.resolve()).then(() => clock.sleep(fate.forMs, signal)).then(() => write(bytes));
    }
  };
}
