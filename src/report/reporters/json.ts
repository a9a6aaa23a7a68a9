import type { Run, Trial } from '../../model/run.ts';
import type { Reporter } from '../reporter.ts';
import { reproduceCommand } from '../reproduce.ts';

export const json: Reporter = {
  name: 'json',
  summary: 'one JSON document, the same as --json',
  render: (run, { version }) => `${JSON.stringify(reportDocument(run, version), null, 2)}\n`,
};

/**
 * The whole run as one document for JSON, schema `webhook-replay/report/1`. Keys are only ever added.
 * @param version the tool's own
 */
export function reportDocument(run: Run, version: string) {
  const { id, command, startedAt, durationMs, seed, nonce, interrupted, inFlight } = run;
  return {
    schema: 'webhook-replay/report/1',
    tool: { name: 'webhook-replay', version },
    run: { id, command, startedAt, durationMs, seed, nonce, interrupted, inFlight, pattern: run.plan?.pattern },
    receiver: run.receiver,
    counts: run.counts,
    effects: run.effects,
    verdict: run.verdict,
    summary: summaryOf(run.trials),
    notes: run.notes ?? [],
    trials: run.trials.map((trial) => ({
      ...trial,
      findings: trial.findings.map((finding) => ({ ...finding, reproduce: reproduceCommand(run, trial, [finding]) })),
    })),
  };
}

function summaryOf(trials: readonly Trial[]) {
  const count = (verdict: Trial['verdict']) => trials.filter((trial) => trial.verdict === verdict).length;
  return { pass: count('pass'), fail: count('fail'), inconclusive: count('inconclusive'), skip: count('skip') };
}
