import type { Command } from 'commander';
import type { Context, GlobalOptions } from './context.ts';
import { defineCommand } from './define.ts';
import { ignoreSettings } from './environment.ts';
import { unknownCommand } from './usage-error.ts';

export function registerHelp(program: Command, context: Context): void {
  program.helpCommand(false);
  const command = defineCommand(program, 'help', {
    group: 'start',
    summary: 'Explain a command or a topic, like patterns or exit-codes.',
    examples: ['help replay', 'help patterns', 'help exit-codes'],
  })
    .argument('[topic]', 'a command, or patterns, events, effects, exit-codes, environment')
    .action(async (topic: string | undefined, _options: unknown, self: Command) => {
      const text = topic === undefined ? program.helpInformation() : await explain(topic, program, context);
      if (self.optsWithGlobals<GlobalOptions>().json)
        context.out.jsonLine({ schema: 'webhook-replay/help/1', help: text });
      else context.out.write(text);
    });
  ignoreSettings(command);
}

async function explain(topic: string, program: Command, context: Context): Promise<string> {
  const command = program.commands.find((known) => [known.name(), ...known.aliases()].includes(topic));
  if (command) return command.helpInformation();
  const { topicText } = await import('./help-topics.ts');
  const text = await topicText(topic, context);
  if (text === undefined) throw unknownCommand(topic, program);
  return text;
}
