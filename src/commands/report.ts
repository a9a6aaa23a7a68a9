import type { Command } from 'commander';
import type { Context, GlobalOptions } from './context.ts';
import { defineCommand, optionsOf } from './define.ts';
import { addReporterOption, type ReporterOption } from './reporter-option.ts';
import { RUN_ARGUMENT } from './run-argument.ts';

type ReportFlags = GlobalOptions & ReporterOption;

export function registerReport(program: Command, context: Context): void {
  const command = defineCommand(program, 'report', {
    group: 'judge',
    summary: 'Show a run that was kept again, with any reporter.',
    examples: ['report last', 'report Xt9Kp2 --reporter junit=junit.xml', 'report last --reporter markdown'],
    notes: ['It only shows, so it exits 0 whatever the verdict was. webhook-replay judge RUN exits by the verdict.'],
  }).argument(...RUN_ARGUMENT);
  addReporterOption(command).action(async (run: string, _options: unknown, self: Command) => {
    await report(run, optionsOf<ReportFlags>(self), context);
  });
}

async function report(name: string, flags: ReportFlags, context: Context): Promise<void> {
  const { chooseReporters } = await import('./choose-reporters.ts');
  const { openReports } = await import('./open-reports.ts');
  const { openCorpusFor, withCorpus } = await import('./wire-corpus.ts');
  const { storedRun } = await import('./run-argument.ts');
  const reporters = chooseReporters(flags, context);
  await withCorpus(openCorpusFor(context, flags, 'read'), (corpus) => {
    const run = storedRun(name, corpus);
    context.exit(openReports(reporters, flags, context).finish(run, 0));
  });
}
