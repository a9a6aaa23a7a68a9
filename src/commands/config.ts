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
      'A flag beats a variable (WEBHOOK_REPLAY_TO), that beats .env, that beats webhook-replay.config.json; webhook-replay help config shows the file.',
    ],
  })
    .argument('<what>', 'show, or path: which config file is read')
    .argument('[command]', "whose settings; its flags may follow (default: test's)")
    .option('--origin', 'also where each value comes from')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (what: string, name: string | undefined, _options: unknown, self: Command) => {
      const { showConfig, showConfigPath } = await import('./config-action.ts');
      if (what === 'path') return showConfigPath(self, context);
      await showConfig({ what, name: name ?? 'test', words: self.args.slice(2) }, self, context);
    });
  ignoreSettings(command);
}
