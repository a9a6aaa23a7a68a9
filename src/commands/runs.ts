import type { Command } from 'commander';
import type { RunSummary } from '../model/corpus.ts';
import type { Context, GlobalOptions } from './context.ts';
import { defineCommand, optionsOf } from './define.ts';
import { readCount } from './number-option.ts';

type RunsFlags = GlobalOptions & { readonly limit: number };

export function registerRuns(program: Command, context: Context): void {
  defineCommand(program, 'runs', {
    group: 'judge',
    summary: 'List the runs that were kept, newest first.',
    examples: ['runs', 'runs --limit 5 --json'],
    notes: ['webhook-replay report RUN shows one again; webhook-replay judge RUN judges it again without sending.'],
  })
    .option('-n, --limit <n>', 'show at most so many', readCount, 20)
    .action(async (_options: unknown, self: Command) => {
      await runs(optionsOf<RunsFlags>(self), context);
    });
}

async function runs(flags: RunsFlags, context: Context): Promise<void> {
  const { openCorpusFor, withCorpus } = await import('./wire-corpus.ts');
  await withCorpus(openCorpusFor(context, flags, 'read'), async (corpus) => {
    const found = corpus.runs(flags.limit);
    if (flags.json) {
      const { countVerdicts } = await import('../model/verdict.ts');
      const listed = found.map(({ verdicts, ...run }) => ({ ...run, summary: countVerdicts(verdicts) }));
      context.out.json({ schema: 'webhook-replay/runs/1', runs: listed });
      return;
    }
    context.out.write(await asText(found, context));
    if (found.length === 0 && !flags.quiet)
      context.err.write(`There are no runs yet in ${corpus.file}; replay and test keep theirs there.\n`);
  });
}

async function asText(found: readonly RunSummary[], { out, clock }: Context): Promise<string> {
  const { renderTable } = await import('../support/table.ts');
  const { timeText } = await import('./event-texts.ts');
  const { formatDuration } = await import('../support/duration.ts');
  const { verdictCounts } = await import('../report/plain-lines.ts');
  const { plural } = await import('../support/plural.ts');
  const what = ({ pattern, counts, verdicts }: RunSummary) =>
    pattern === undefined ? verdictCounts(verdicts) : `${pattern}, ${plural(counts.events, 'event')}`;
  return await renderTable({
    columns: ['ID', 'WHEN', 'COMMAND', 'VERDICT', 'WHAT', 'RECEIVER', 'TOOK'].map((title) => ({ title })),
    rows: found.map((run) => [
      run.id,
      out.isTerminal ? timeText(run.startedAt, clock.epochMs()) : run.startedAt,
      run.command,
      run.interrupted ? `${run.verdict} (interrupted)` : run.verdict,
      what(run),
      run.receiver.url,
      formatDuration(run.durationMs),
    ]),
    width: out.columns,
    plain: !out.isTerminal,
    paint: out.paint,
  });
}
