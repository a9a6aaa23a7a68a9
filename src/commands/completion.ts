import type { Command } from 'commander';
import type { Context } from './context.ts';
import { defineCommand } from './define.ts';
import { ignoreSettings } from './environment.ts';

export function registerCompletion(program: Command, context: Context): void {
  const command = defineCommand(program, 'completion', {
    group: 'start',
    summary: 'Print a script that completes command lines in your shell.',
    examples: [
      'completion bash >> ~/.bashrc',
      'completion zsh > ~/.zfunc/_webhook-replay',
      'completion fish > ~/.config/fish/completions/webhook-replay.fish',
      'completion pwsh >> $PROFILE',
    ],
    notes: ['It completes commands, flags, and what is in the corpus: events, tags and types.'],
  })
    .argument('<shell>', 'bash, zsh, fish or pwsh')
    .action(async (shell: string) => {
      const { completionScript } = await import('./completion-scripts.ts');
      context.out.write(completionScript(shell));
    });
  ignoreSettings(command);
  ignoreSettings(registerComplete(program, context));
}

/** What the scripts call. One candidate a line, `value` or `value<TAB>description`; then `:files`, `:nospace` where they apply. */
function registerComplete(program: Command, context: Context): Command {
  return program
    .command('complete', { hidden: true })
    .argument('[words...]', 'the command line up to the cursor; the last word is completed')
    .option('--next', 'a new word begins (for shells that drop empty words)')
    .action(async (words: readonly string[], { next }: { readonly next?: boolean }) => {
      const { complete, completionLines } = await import('./complete.ts');
      context.out.write(completionLines(await complete(next ? [...words, ''] : words, program, context)));
    });
}
