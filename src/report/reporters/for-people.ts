import type { Reporter } from '../reporter.ts';
import { prettyReport, verdictLine } from './pretty.ts';
import { suiteReport } from './suite.ts';

export const pretty: Reporter = {
  name: 'pretty',
  summary: 'for people',
  render: (run, { style, quiet }) => {
    if (quiet) return verdictLine(run, style);
    const notes = (run.notes ?? []).map((note) => `${style.paint.yellow(note)}\n`);
    return `${notes.join('')}${(run.command === 'test' ? suiteReport : prettyReport)(run, style)}`;
  },
};
