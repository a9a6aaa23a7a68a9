import type { ReceiverProcess } from './start-process.ts';

/** Several processes of one receiver, treated alike. */
export function asOne(processes: readonly ReceiverProcess[]): ReceiverProcess {
  const all = (act: (process: ReceiverProcess) => Promise<void>) => async () => {
    await Promise.all(processes.map(act));
  };
  return {
    kill: (signal) => all((process) => process.kill(signal))(),
    restart: all((process) => process.restart()),
    stop: () => {
      for (const process of processes) process.stop();
    },
    continue: () => {
      for (const process of processes) process.continue();
    },
    death: () => processes.map((process) => process.death()).find((death) => death !== undefined),
    close: all((process) => process.close()),
  };
}
