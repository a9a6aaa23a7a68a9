import { spawn } from 'node:child_process';

/** Kills a process group when this process is gone, however it went: also after `kill -9`. */
export type GroupGuard = {
  /** From now on this group; `undefined`: none. */
  readonly watch: (group: number | undefined) => void;
  readonly close: () => void;
};

/** Each line names the group to kill, or none; the end of input means that we are gone. */
const WATCH = 'while read -r line; do group=$line; done; [ -z "$group" ] || kill -KILL "-$group"';

/**
 * A shell of its own session, which costs a millisecond and lives as long as we do: signals to us, or to the receiver's group,
 * do not reach it. There is no such thing on Windows.
 */
export function startGroupGuard(): GroupGuard {
  if (process.platform === 'win32') return { watch: () => {}, close: () => {} };
  const child = spawn('/bin/sh', ['-c', WATCH], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  return {
    watch: (group) => {
      child.stdin.write(`${group ?? ''}\n`);
    },
    close: () => {
      child.stdin.end('\n');
    },
  };
}
