import { type Started, type StartOptions, startReceiver } from '../fixtures/receivers/start.ts';
import { messageOf, UserError } from '../support/errors.ts';

/** Ports and files that cannot be had are the user's to change. */
export async function startOrExplain(options: StartOptions): Promise<Started> {
  try {
    return await startReceiver(options);
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, options);
  }
}

function explain(error: NodeJS.ErrnoException, { port, host, db }: StartOptions): Error {
  if (error.syscall === 'listen' || error.syscall === 'getaddrinfo') {
    return new UserError('PORT_UNUSABLE', `Port ${port} on ${host} cannot be opened: ${messageOf(error)}.`, {
      hint: 'Choose another with --port, or any free one with --port 0.',
      cause: error,
    });
  }
  if (error.code?.startsWith('SQLITE_') || error instanceof TypeError) {
    return new UserError('DATABASE_UNUSABLE', `The database "${db}" cannot be used: ${messageOf(error)}.`, {
      hint: 'Name a file in a folder that exists and may be written, or leave --db away.',
      cause: error,
    });
  }
  return error;
}
