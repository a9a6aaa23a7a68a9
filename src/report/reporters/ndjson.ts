import type { Attempt } from '../../model/attempt.ts';
import type { Progress } from '../../model/run.ts';
import type { Reporter } from '../reporter.ts';
import { reportDocument } from './json.ts';

/**
 * What happens, as it happens: one JSON object a line with `type` and `seq` (from 1), schema `webhook-replay/progress/1`.
 * Bodies and headers of answers never stand there; the last line, `finished`, holds the report.
 */
export const ndjson: Reporter = {
  name: 'ndjson',
  summary: 'what happens, as it happens, a JSON object a line',
  render: (run, { version }) => progressLines(version)({ kind: 'finished', run }),
  stream: progressLines,
};

function progressLines(version: string): (progress: Progress) => string {
  let seq = 0;
  return (progress) => {
    const head = { schema: 'webhook-replay/progress/1', type: progress.kind, seq: ++seq };
    return `${JSON.stringify({ ...head, ...factsOf(progress, version) })}\n`;
  };
}

function factsOf(progress: Progress, version: string): object {
  switch (progress.kind) {
    case 'attempted':
      return { label: progress.label, copies: progress.copies, attempt: withoutContent(progress.attempt) };
    case 'planned': {
      const { pattern, seed, steps } = progress.plan;
      return { pattern, seed, deliveries: steps.length, rounds: progress.rounds };
    }
    case 'finished':
      return { report: reportDocument(progress.run, version) };
    default: {
      const { kind: _, ...facts } = progress;
      return facts;
    }
  }
}

function withoutContent({ outcome, ...attempt }: Attempt): object {
  return {
    ...attempt,
    outcome: outcome.kind === 'response' ? { kind: outcome.kind, status: outcome.status } : outcome,
  };
}
