import { checkSources } from '../observe/sources.ts';
import { planOf, replayRun } from '../run/replay-run.ts';
import { chooseReporters } from './choose-reporters.ts';
import type { Context, ExitCode, GlobalOptions } from './context.ts';
import { openReports } from './open-reports.ts';
import { printPlan } from './print-plan.ts';
import type { ReplayOptions } from './replay-flags.ts';
import { readReplayRequest } from './replay-request.ts';
import { openCorpusFor } from './wire-corpus.ts';
import { chooseEvents } from './wire-events.ts';

type Options = ReplayOptions & GlobalOptions;

/** From flags to a request, from adapters to ports, from verdict to exit code. */
export async function replay(positional: readonly string[], options: Options, context: Context): Promise<ExitCode> {
  const selectors = [...positional, ...(options.event ?? [])];
  const reporters = chooseReporters(options, context);
  const corpus = openCorpusFor(context, options, options.dryRun ? 'read' : 'keep');
  try {
    const events = await chooseEvents(selectors, { options, corpus, context });
    const read = readReplayRequest({ selectors, events, options, context });
    if (options.dryRun) {
      checkSources(options.effect ?? []);
      printPlan(planOf(read.request), { events, request: read.request, options, context });
      return 0;
    }
    const reports = openReports(reporters, options, context);
    // It brings the HTTP client along, which a dry run does not need.
    const { carryOut, exitCodeOf } = await import('./carry-out.ts');
    const run = await carryOut(read, { events, corpus, options, context, listen: reports.listen }, replayRun);
    return reports.finish(run, exitCodeOf(run));
  } finally {
    corpus.close();
  }
}
