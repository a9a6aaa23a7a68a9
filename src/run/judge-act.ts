import { withoutAside } from '../judge/aside.ts';
import type { Stretch } from '../judge/evidence.ts';
import { judge } from '../judge/judge.ts';
import { judgeActAnswers, noneArrived } from '../judge/judge-act-answers.ts';
import { judgeDeath } from '../judge/judge-death.ts';
import { judgeGap } from '../judge/judge-gap.ts';
import { judgeLatency } from '../judge/judge-latency.ts';
import { judgeNoEffect } from '../judge/judge-no-effect.ts';
import type { Finding } from '../model/finding.ts';
import { deliveriesIn, type Plan } from '../model/plan.ts';
import { NOT_OBSERVED } from '../model/run.ts';
import { CHANGES } from '../mutate/changes.ts';
import type { ActEvidence } from './trial-evidence.ts';

/** What one act showed. */
export type ActJudgement = {
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  /** Why it could not tell. */
  readonly reasons: readonly string[];
  readonly hits: number;
};

export function judgeAct(evidence: ActEvidence): ActJudgement {
  const { death } = evidence;
  const judged = judgeDeliveries(evidence);
  // What did not happen behind its end is no news.
  const findings = death ? [judgeDeath(death)] : judged.findings;
  return {
    ...judged,
    hits: Math.max(judged.hits, death ? 1 : 0),
    findings: findings.map((found) => named(found, evidence)),
  };
}

/** Says what was special about the act, where acts differ. */
function named(finding: Finding, { name, only }: ActEvidence): Finding {
  return name === undefined ? finding : { ...finding, title: `${finding.title}, ${name}`, only };
}

function judgeDeliveries(evidence: ActEvidence): ActJudgement {
  const { plan, stretch, answers: wanted, hint, bodies, doubts } = evidence;
  const { attempts } = withoutAside(stretch, evidence.aside);
  const unreachable = noneArrived(attempts);
  if (unreachable !== undefined) return { ...NOTHING, reasons: [unreachable] };
  const effects = judgeEffects(evidence);
  const answers = judgeActAnswers({
    attempts,
    wanted,
    hint,
    labelOf: (event) => labelIn(stretch, event),
    noteOf: (step) => noteOf(plan, step),
    bodyOf: (attempt) => bodies.get(attempt) ?? '',
  });
  const latency = evidence.latency ? judgeLatency(attempts, evidence.latency) : NOTHING;
  const knowsAnswers = effects.findings.some(({ check }) => check === 'duplicates-acknowledged');
  return {
    findings: [...effects.findings, ...(knowsAnswers ? [] : answers), ...latency.findings],
    warnings: latency.warnings,
    notes: effects.notes,
    reasons: [...effects.reasons, ...doubts],
    hits: effects.hits,
  };
}

const NOTHING: ActJudgement = { findings: [], warnings: [], notes: [], reasons: [], hits: 0 };

function judgeEffects({
  effects,
  baselines,
  stretch,
  payloads,
  plan,
  hint,
  aside,
  references,
}: ActEvidence): ActJudgement {
  if (!baselines) return { ...NOTHING, notes: [NOT_OBSERVED] };
  if (effects === 'any') return NOTHING;
  if (effects === 'nothing') {
    const findings = judgeNoEffect({ stretch, baselines, payloads, hint });
    const reasons = stretch.quiet ? [] : ['The effects did not come to rest in time (--settle-max).'];
    return { ...NOTHING, findings, reasons, hits: findings.length > 0 ? 1 : 0 };
  }
  if (effects === 'gap' && references) {
    const { findings, reason } = judgeGap({ stretch, baselines, references, payloads, hint });
    return { ...NOTHING, findings, hits: findings.length > 0 ? 1 : 0, reasons: reason === undefined ? [] : [reason] };
  }
  const { findings, notes, reason, hits } = judge({ plan, baselines, trial: [stretch], payloads, aside });
  const told = aside ? findings.map((found) => ({ ...found, hint })) : findings;
  return { ...NOTHING, findings: told, notes, hits, reasons: reason === undefined ? [] : [reason] };
}

function labelIn({ rounds }: Stretch, event: string): string {
  for (const { events } of rounds) for (const { id, label } of events) if (id === event) return label;
  return event;
}

const FORGED: Readonly<Record<string, string>> = {
  missing: 'without its signature',
  'wrong-secret': 'signed with another secret',
  tampered: 'one byte changed after it was signed',
  stale: 'signed with a time of yesterday',
};

function noteOf(plan: Plan, id: string): string | undefined {
  const delivery = deliveriesIn(plan).find((step) => step.id === id)?.delivery;
  if (delivery?.forgery) return FORGED[delivery.forgery];
  return CHANGES.find((change) => change.id === delivery?.change)?.summary;
}
