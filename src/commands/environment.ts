import type { Command } from 'commander';

export const ENVIRONMENT_NOTE =
  'Each option with a value can also be set as WEBHOOK_REPLAY_ and its name: WEBHOOK_REPLAY_TO, WEBHOOK_REPLAY_SECRET, ...';

/** Lets every option with a value be given as `WEBHOOK_REPLAY_` and its name; a flag beats it. */
export function readEnvironment(command: Command): void {
  for (const option of command.options) {
    if (option.isBoolean() || option.envVar !== undefined) continue;
    option.env(`WEBHOOK_REPLAY_${option.name().toUpperCase().replaceAll('-', '_')}`);
  }
}
