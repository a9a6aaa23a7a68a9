import type { Command } from 'commander';

export const ENVIRONMENT_NOTE =
  'Each option can also be set as WEBHOOK_REPLAY_ and its name (WEBHOOK_REPLAY_TO, ...), in .env, and in webhook-replay.config.json. A flag beats them all.';

type Takes = (key: string) => boolean;

const shared = new WeakMap<Command, Takes>();
const untouched = new WeakSet<Command>();

/**
 * What is said for all commands (a variable `WEBHOOK_REPLAY_TO`, a name on the top level of the config file) is meant for
 * this command, too; else only what is said of it by name, since the same word may mean another thing in it.
 * @param keys only these options; all when absent
 */
export function readEnvironment(command: Command, keys?: readonly string[]): void {
  shared.set(command, (key) => keys?.includes(key) ?? true);
}

/** Which options of a command take what is said for all. Those of the program itself always do. */
export function sharedKeys(command: Command): Takes {
  return command.parent ? (shared.get(command) ?? (() => false)) : () => true;
}

/** A command that must start whatever environment and config file say; it may read them itself. */
export function ignoreSettings(command: Command): Command {
  untouched.add(command);
  return command;
}

export function isUntouched(command: Command): boolean {
  return untouched.has(command);
}

/** Whether there is a place for the options of a command in environment and config file. */
export function hasSettings(command: Command): boolean {
  return shared.has(command) || !untouched.has(command);
}
