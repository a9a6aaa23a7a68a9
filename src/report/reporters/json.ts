import type { Run, Trial } from '../../model/run.ts';
import { reproduceCommand } from '../reproduce.ts';

/**
 * The whole run as one JSON document, schema `webhook-replay/report/1`. Keys are only ever added.
 * @param version the tool's own
 */
export function jsonReport(run: Run, version: string): string {
  const { id, command, startedAt, durationMs, seed, nonce, interrupted, inFlight } = run;
  const document = {
    schema: 'webhook-replay/report/1',
    tool: { name: 'webhook-replay', version },
    run: { id, command, startedAt, durationMs, seed, nonce, interrupted, inFlight, pattern: run.plan?.pattern },
    receiver: run.receiver,
    counts: run.counts,
    effects: run.effects,
    verdict: run.verdict,
    summary: summaryOf(run.trials),
    trials: run.trials.map((trial) => ({
      ...trial,
      findings: trial.findings.map((finding) => ({ ...finding, reproduce: reproduceCommand(run, trial) })),
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function summaryOf(trials: readonly Trial[]) {
  const count = (verdict: Trial['verdict']) => trials.filter((trial) => trial.verdict === verdict).length;
  return { pass: count('pass'), fail: count('fail'), inconclusive: count('inconclusive'), skip: count('skip') };
}
