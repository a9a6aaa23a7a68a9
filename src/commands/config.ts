import type { Command } from 'commander';
import type { Context } from './context.ts';
import { defineCommand } from './define.ts';
import { ignoreSettings } from './environment.ts';

export function registerConfig(program: Command, context: Context): void {
  const command = defineCommand(program, 'config', {
    group: 'start',
    summary: 'Show the settings of a command and where each comes from.',
    examples: ['config show', 'config show test --origin', 'config show replay --to 3000 --json', 'config path'],
    notes: [
      'A flag beats a variable (WEBHOOK_REPLAY_TO), that beats .env, that beats webhook-replay.config.json. Names in the file are those of the flags, as in settleMax; "commands" holds what is meant for one.',
    ],
  })
    .argument('<words...>', 'show COMMAND, with flags of it (without COMMAND: test), or path')
    .option('--origin', 'also where each value comes from')
    .allowUnknownOption()
    .action(async ([what = '', name = 'test', ...flags]: readonly string[], _options: unknown, self: Command) => {
      const { showConfig, showConfigPath } = await import('./config-action.ts');
      if (what === 'path') showConfigPath(self, context);
      else await showConfig({ what, name, flags }, self, context);
    });
  ignoreSettings(command);
}
