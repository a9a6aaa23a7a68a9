import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { UserError } from '../support/errors.ts';
import type { Context } from './context.ts';

export type ReceiverProcess = { readonly url: string; readonly stop: () => Promise<void> };

type Wanted = { readonly name: string; readonly db: string; readonly provider: string; readonly secret: string };

const SECRET_VARIABLE = 'WEBHOOK_REPLAY_DEMO_SECRET';

/** Starts `webhook-replay receiver` as a process of its own, the way a user's receiver is one, and waits until it is ready. */
export async function startReceiverProcess(
  { name, db, provider, secret }: Wanted,
  { env }: Context,
): Promise<ReceiverProcess> {
  const program = process.argv[1] as string;
  const words = [
    'receiver',
    name,
    '--port',
    '0',
    '--db',
    `sqlite:${db}`,
    '--provider',
    provider,
    '--secret',
    `env:${SECRET_VARIABLE}`,
    '--json',
  ];
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...env, [SECRET_VARIABLE]: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as { readonly type?: string; readonly url?: string };
    if (said.type === 'ready' && said.url) return { url: said.url, stop };
  }
  await ended;
  throw new UserError('RECEIVER_DID_NOT_START', `The receiver "${name}" did not start.\n${complaint.trim()}`, {
    exitCode: 3,
  });
}
