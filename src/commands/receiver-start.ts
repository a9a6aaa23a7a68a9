import { type Started, type StartOptions, startReceiver } from '../fixtures/receivers/start.ts';
import { messageOf, UserError } from '../support/errors.ts';
import { databaseProblem } from './receiver-database.ts';
import { queueProblem } from './receiver-queue.ts';

/** Ports and databases that cannot be had are the user's to change. */
export async function startOrExplain(options: StartOptions): Promise<Started> {
  try {
    return await startReceiver(options);
  } catch (error) {
    throw explain(error as SystemError, options);
  }
}

type SystemError = NodeJS.ErrnoException & { readonly hostname?: string };

function explain(error: SystemError, { port, host, db, queue }: StartOptions): Error {
  if (error.syscall === 'listen' || (error.syscall === 'getaddrinfo' && error.hostname === host)) {
    return new UserError('PORT_UNUSABLE', `Port ${port} on ${host} cannot be opened: ${messageOf(error)}.`, {
      hint: 'Choose another with --port, or any free one with --port 0.',
      cause: error,
    });
  }
  if (error instanceof Error && error.name === 'QueueUnreachable') return queueProblem(error, queue);
  return databaseProblem(error, db) ?? error;
}
