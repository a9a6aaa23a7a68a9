import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Fault } from '../../../src/model/plan.ts';
import { readDependency } from '../../../src/receiver/intercept/dependency-address.ts';
import { intercept } from '../../../src/receiver/intercept/intercept.ts';
import { systemClock } from '../../../src/support/clock.ts';

const NEVER = new AbortController().signal;

/** A dependency that answers each line with the same line in capitals, and notes what it got. */
async function shouter() {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      heard.push(bytes.toString());
      socket.write(bytes.toString().toUpperCase());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, heard };
}

async function world() {
  const { port, heard } = await shouter();
  const kills: string[] = [];
  const intercepted = await intercept({
    dependencies: [readDependency(`DB=shout://127.0.0.1:${port}/x`, {})],
    clock: systemClock,
    killReceiver: () => kills.push(`killed when ${heard.length} were heard`),
  });
  onTestFinished(intercepted.close);
  const ours = Number(new URL(intercepted.variables['DB'] as string).port);
  const dial = async () => {
    const socket = connect({ host: '127.0.0.1', port: ours });
    socket.on('error', () => {});
    onTestFinished(() => {
      socket.destroy();
    });
    await once(socket, 'connect');
    return socket;
  };
  return { heard, kills, dial, ours, ...intercepted };
}

async function ask(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return bytes.toString();
}

/** Also of a connection that was reset. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

const fault = (more: Partial<Fault>): Fault => ({
  dependency: 'DB',
  turn: 1,
  side: 'before',
  how: 'kill',
  withinMs: 5000,
  ...more,
});

describe('standing between', () => {
  it('passes bytes on, and counts what is asked until it is answered as one turn', async () => {
    const { dial, interception } = await world();
    const socket = await dial();
    const count = interception.count();
    expect(await ask(socket, 'one')).toBe('ONE');
    expect(await ask(socket, 'insert into orders values (1)')).toMatch(/^INSERT/);
    expect(count()).toEqual([
      { dependency: 'DB', opener: 'o'.charCodeAt(0), bytes: 3 },
      { dependency: 'DB', opener: 'i'.charCodeAt(0), bytes: 29, what: 'INSERT INTO orders' },
    ]);
  });

  it('leaves out what is said while nobody delivers, also with other numbers', async () => {
    const { dial, interception } = await world();
    const socket = await dial();
    const learnt = interception.learnChatter();
    await ask(socket, 'ping 1');
    learnt();
    const count = interception.count();
    await ask(socket, 'ping 22');
    await ask(socket, 'select');
    expect(count().map(({ bytes }) => bytes)).toEqual([6]);
  });

  it('kills before a turn reaches the dependency', async () => {
    const { dial, interception, heard, kills } = await world();
    const socket = await dial();
    const strike = interception.lieInWait(fault({ turn: 2 }), NEVER);
    await ask(socket, 'one');
    socket.write('two');
    expect(await strike).toMatchObject({ struck: true, turns: [{ bytes: 3 }, { bytes: 3 }] });
    expect(kills).toEqual(['killed when 1 were heard']);
    expect(heard).toEqual(['one']);
  });

  it('kills after the answer came back and before anybody gets it', async () => {
    const { dial, interception, heard, kills } = await world();
    const socket = await dial();
    let got = '';
    const strike = interception.lieInWait(fault({ side: 'after' }), NEVER);
    socket.on('data', (bytes) => {
      got += bytes.toString();
    });
    socket.write('one');
    expect(await strike).toMatchObject({ struck: true });
    expect(kills).toEqual(['killed when 1 were heard']);
    expect(heard).toEqual(['one']);
    expect(got).toBe('');
  });

  it('cuts a connection once, and heals', async () => {
    const { dial, interception, heard } = await world();
    const socket = await dial();
    const strike = interception.lieInWait(fault({ how: 'cut' }), NEVER);
    socket.write('one');
    await closed(socket);
    expect(await strike).toMatchObject({ struck: true });
    expect(heard).toEqual([]);
    expect(await ask(await dial(), 'two')).toBe('TWO');
  });

  it('stalls a turn and passes it on later, in order', async () => {
    const { dial, interception } = await world();
    const socket = await dial();
    const strike = interception.lieInWait(fault({ how: 'stall', forMs: 150 }), NEVER);
    const startMs = systemClock.now();
    socket.write('one');
    await strike;
    socket.write('two');
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(systemClock.now() - startMs).toBeGreaterThanOrEqual(150);
    expect(bytes.toString()).toMatch(/^ONE/);
  });

  it('refuses everybody for a while', async () => {
    const { dial, interception, ours } = await world();
    const [one, other] = [await dial(), await dial()];
    await ask(other, 'hello');
    const strike = interception.lieInWait(fault({ how: 'refuse', forMs: 300 }), NEVER);
    const both = Promise.all([closed(one), closed(other)]);
    one.write('one');
    await strike;
    await both;
    await closed(connect({ host: '127.0.0.1', port: ours }).on('error', () => {}));
    await systemClock.sleep(300);
    expect(await ask(await dial(), 'two')).toBe('TWO');
  });

  it('gives up when the turn does not come', async () => {
    const { dial, interception, kills } = await world();
    const socket = await dial();
    const strike = interception.lieInWait(fault({ turn: 3, withinMs: 50 }), NEVER);
    await ask(socket, 'one');
    expect(await strike).toMatchObject({ struck: false, turns: [{ bytes: 3 }] });
    await ask(socket, 'two');
    await ask(socket, 'three');
    expect(kills).toEqual([]);
  });
});
