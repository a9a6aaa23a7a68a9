/** What became of the process's output. */
export type ClosedPipes = {
  /** Waits until all is written; the first error that was no closed pipe. */
  readonly trouble: () => Promise<Error | undefined>;
};

/** `| head` closes our output early; that is the reader's right and changes no exit code. Other errors (a full disk) are kept. */
export function surviveClosedPipes(streams: readonly NodeJS.WriteStream[]): ClosedPipes {
  let trouble: Error | undefined;
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') trouble ??= error;
    });
  }
  return {
    trouble: async () => {
      await Promise.all(streams.map(written));
      return trouble;
    },
  };
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || !stream.writable) return resolve();
    stream.write('', () => resolve());
    stream.once('close', () => resolve());
  });
}
