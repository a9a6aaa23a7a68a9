import type { Listener, Progress, Run } from '../model/run.ts';
import type { Look, Reporter } from '../report/reporter.ts';
import { messageOf } from '../support/errors.ts';
import { redactDeep } from '../support/redact.ts';
import { VERSION } from '../version.ts';
import type { ChosenReporters } from './choose-reporters.ts';
import type { Context, ExitCode, GlobalOptions } from './context.ts';
import { FILE_LOOK, lookOf, redactedRun } from './print-run.ts';
import { fileForReports } from './report-file.ts';

/** The reports that a command line asked for. */
export type Reports = {
  /** Hears of the run as it goes on. */
  readonly listen: Listener;
  /** Writes them. The code is given back, but for a 0 when a report could not be written. */
  readonly finish: (run: Run, code: ExitCode) => ExitCode;
};

/** One place where a report goes. `write` may throw. */
type Sink = {
  readonly progress?: ((progress: Progress) => void) | undefined;
  readonly write: (run: Run) => void;
};

/** Makes ready what will be written, so that a file that cannot be is found before anything is sent. Throws `UserError`. */
export function openReports(chosen: ChosenReporters, options: GlobalOptions, context: Context): Reports {
  const { out, err, redactor } = context;
  const { stdout, asides, files } = chosen;
  const look = lookOf(out, options, context);
  // A workflow command counts on either stream; a document stays a document.
  const log = stdout.name === 'pretty' ? out : err;
  const toOut = (text: string) => out.writeBytes(Buffer.from(text));
  const sinks: readonly Sink[] = [
    sinkOf(stdout, toOut, look),
    ...files.map(({ reporter, file }) => fileSink(reporter, file)),
    ...asides.map((reporter) => sinkOf(reporter, (text) => log.writeBytes(Buffer.from(text)), look)),
    ...asides.flatMap((reporter) => appendixSink(reporter, context)),
  ];
  const troubles = new Set<string>();
  const trying = (work: () => void) => {
    try {
      work();
    } catch (error) {
      troubles.add(messageOf(error));
    }
  };
  const streams = sinks.filter((sink) => sink.progress !== undefined);
  return {
    listen: (progress) => {
      if (streams.length === 0) return;
      // The end is written by `finish`, with the run as the command sees it.
      if (progress.kind === 'finished') return;
      const told = redactedProgress(progress, context);
      for (const sink of streams) trying(() => sink.progress?.(told));
    },
    finish: (run, code) => {
      const told = redactedRun(run, redactor);
      for (const sink of sinks) trying(() => sink.write(told));
      for (const trouble of troubles)
        err.write(`${err.paint.red('error:')} A report could not be written: ${trouble}\n`);
      return troubles.size > 0 && code === 0 ? 2 : code;
    },
  };
}

function sinkOf(reporter: Reporter, write: (text: string) => void, look: Look): Sink {
  const line = reporter.stream?.(VERSION);
  if (!line) return { write: (run) => write(reporter.render(run, look)) };
  return {
    progress: (progress) => write(line(progress)),
    write: (run) => write(line({ kind: 'finished', run })),
  };
}

/** A stream goes to its file as it comes, all else in one piece at the end. */
function fileSink(reporter: Reporter, file: string): Sink {
  const target = fileForReports(file, reporter.name);
  return sinkOf(reporter, reporter.stream ? target.openStream() : target.replace, FILE_LOOK);
}

function appendixSink({ appendix, name }: Reporter, { env }: Context): readonly Sink[] {
  const file = appendix && env[appendix.variable];
  if (!appendix || !file) return [];
  const target = fileForReports(file, name, 'append');
  return [{ write: (run) => target.append(appendix.render(run, appendix.mostBytes - target.size())) }];
}

/** Without bodies, and a plan as it is: it names events and holds nothing else from outside. */
function redactedProgress(progress: Progress, { redactor }: Context): Progress {
  if (progress.kind === 'planned') return progress;
  return redactDeep(progress, redactor);
}
