import { parseIgnore } from '../judge/ignore.ts';
import { judgeAgain } from '../run/judge-again.ts';
import { exitCodeOf } from './carry-out.ts';
import { chooseReporters } from './choose-reporters.ts';
import type { Context, ExitCode } from './context.ts';
import type { JudgeFlags } from './judge-flags.ts';
import { openReports } from './open-reports.ts';
import { storedRun } from './run-argument.ts';
import { openCorpusFor, withCorpus } from './wire-corpus.ts';

/** The exit code is the new verdict's, also for a run that was interrupted. */
export function judge(name: string, flags: JudgeFlags, context: Context): Promise<ExitCode> {
  const reporters = chooseReporters(flags, context);
  const ignore = (flags.ignore ?? []).map(parseIgnore);
  return withCorpus(openCorpusFor(context, flags, 'read'), (corpus) => {
    const run = storedRun(name, corpus);
    const payloadOf = (id: string) => {
      const event = corpus.get(id);
      return event?.id === id ? Buffer.from(event.payload).toString('latin1') : undefined;
    };
    const kept = { run, parts: corpus.evidence(run.id), attempts: corpus.attempts(run.id), payloadOf };
    const judged = judgeAgain(kept, ignore);
    for (const rule of judged.unused)
      context.err.write(`${context.err.paint.yellow('warning:')} --ignore "${rule}" matches nothing that was seen.\n`);
    const code = exitCodeOf({ ...judged.run, interrupted: false });
    return openReports(reporters, flags, context).finish(judged.run, code);
  });
}
