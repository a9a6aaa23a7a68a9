import type { Finding } from '../model/finding.ts';
import type { Courier } from './courier.ts';
import type { RunRequest } from './ports.ts';
import { type Observed, waitLonger } from './stretch.ts';

type Judging<E, J> = {
  readonly observed: readonly Observed[];
  /** How long the baseline says that all must be quiet. */
  readonly quietMs: number;
  readonly evidence: (observed: readonly Observed[]) => E;
  readonly judge: (evidence: E) => J;
};

/** Effects that seem lost, and states that seem wrong, get a second, longer wait before anybody is accused. */
export async function judgePatiently<E, J extends { readonly findings: readonly Finding[] }>(
  { observed, quietMs, evidence, judge }: Judging<E, J>,
  courier: Courier,
  request: RunRequest,
): Promise<{ readonly evidence: E; readonly judged: J }> {
  const first = evidence(observed);
  const judged = judge(first);
  const last = observed.at(-1);
  const mayBeLate = judged.findings.some(({ check }) => check === 'no-lost-effect' || check === 'newest-wins');
  if (!mayBeLate || !last || courier.ports.signal.aborted) return { evidence: first, judged };
  courier.ports.listen({ kind: 'waiting', text: 'Effects are missing; waiting longer in case they are only late.' });
  const settle = { quietMs: 2 * quietMs, maxMs: request.settleMaxMs, firstMs: 0 };
  const later = evidence([...observed.slice(0, -1), await waitLonger(last, settle, { courier, request })]);
  return { evidence: later, judged: judge(later) };
}
