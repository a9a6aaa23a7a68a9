/**
 * Collects what arrives in one turn of the event loop and writes it in one go, so that fifty connections share one fsync.
 * A promise resolves only after `write` returned: what is answered then is on disk.
 */
export function groupCommit<Item, Result>(
  write: (items: readonly Item[]) => readonly Result[],
): (item: Item) => Promise<Result> {
  let waiting: Array<Waiting<Item, Result>> = [];
  const flush = () => {
    const batch = waiting;
    waiting = [];
    try {
      const results = write(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return (item) =>
    new Promise((resolve, reject) => {
      // setImmediate runs once all sockets that were readable in this turn have been read.
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ item, resolve, reject });
    });
}

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};
