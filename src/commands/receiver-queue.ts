import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readSecret } from '../config/secrets.ts';
import { ConfigError } from '../fixtures/receivers/queue/read-sections.ts';
import { type QueueSettings, readSettings } from '../fixtures/receivers/queue/settings.ts';
import type { StartOptions } from '../fixtures/receivers/start.ts';
import { reasonOf } from '../observe/connection-failure.ts';
import { hideCredentials } from '../observe/hide-credentials.ts';
import { messageOf, UserError } from '../support/errors.ts';
import type { Context } from './context.ts';
import type { ReceiverFlags } from './receiver-flags.ts';

/** Where the receiver "queue" keeps its jobs, how it treats them, and who may look after them. */
export async function queueOptions(
  { queue, queueConfig, adminToken }: ReceiverFlags,
  context: Context,
): Promise<Pick<StartOptions, 'queue' | 'queueSettings' | 'adminToken'>> {
  return {
    queue: queue === undefined ? undefined : await redisUrl(queue, context),
    queueSettings: queueConfig === undefined ? undefined : settingsOf(queueConfig, context.cwd),
    adminToken: adminToken === undefined ? undefined : (await readSecret(adminToken, context)).value,
  };
}

/** Redis did not answer, as something the user can act on. */
export function queueProblem(error: Error, url = ''): UserError {
  const cannot = `The queue "${hideCredentials(url)}" cannot be used: ${hideCredentials(reasonOf(error.cause))}.`;
  const hint = 'Is Redis running, and are host, port and password right?';
  return new UserError('QUEUE_UNREACHABLE', cannot, { hint, exitCode: 3, cause: error });
}

async function redisUrl(flag: string, context: Context): Promise<string> {
  const text = flag.startsWith('env:') ? (await readSecret(flag, context)).value : flag;
  if (/^rediss?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new UserError('BAD_QUEUE', `"${hideCredentials(text)}" is no Redis (--queue).`, {
    hint: 'Write it like redis://127.0.0.1:6379, or env:REDIS_URL.',
  });
}

function settingsOf(file: string, cwd: string): QueueSettings {
  try {
    return readSettings(readFileSync(resolve(cwd, file), 'utf8'), file);
  } catch (error) {
    if (error instanceof ConfigError) throw new UserError('BAD_QUEUE_CONFIG', error.message, { cause: error });
    throw new UserError('UNREADABLE_QUEUE_CONFIG', `The file "${file}" cannot be read: ${messageOf(error)}.`, {
      hint: 'Name a file like consumer-config.yaml (--queue-config).',
      cause: error,
    });
  }
}
