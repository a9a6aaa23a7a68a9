import type { Command } from 'commander';
import type { Context } from './context.ts';
import { collect, defineCommand, optionsOf } from './define.ts';
import type { JudgeFlags } from './judge-flags.ts';
import { addReporterOption } from './reporter-option.ts';
import { RUN_ARGUMENT } from './run-argument.ts';

export function registerJudge(program: Command, context: Context): void {
  const command = defineCommand(program, 'judge', {
    group: 'judge',
    summary: 'Judge a run that was kept again, without sending.',
    examples: ['judge last', "judge Xt9Kp2 --ignore 'orders.updated_at'", 'judge last --ignore audit --json'],
    notes: [
      'It goes by the effects and answers that were kept with the run. Exit code and report are those of the new verdict; the run itself stays as it was kept.',
    ],
  })
    .argument(...RUN_ARGUMENT)
    .option('--ignore <glob>', 'bookkeeping that may change, besides what was ignored then; repeatable', collect);
  addReporterOption(command).action(async (run: string, _options: unknown, self: Command) => {
    const { judge } = await import('./judge-action.ts');
    context.exit(await judge(run, optionsOf<JudgeFlags>(self), context));
  });
}
