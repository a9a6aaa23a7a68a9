import { createAnswerTally } from '../judge/judge-answers.ts';
import { type Courier, labelOf } from './courier.ts';
import { capturedIdentity, deliverRound } from './deliver-round.ts';
import { doubtsOf, scheduleErrorOf, spreadOf } from './doubts.ts';
import { judgeAnswersTrial } from './judge-trial.ts';
import { roundsOf } from './rounds.ts';
import { emptyTrial, type JudgedTrial, type TrialRequest } from './trial.ts';

/** Without a source: the plan once, judged by its answers only. That no second effect occurred is then not shown, and the report says so. */
export async function answersTrial({ plan, family, request, courier }: TrialRequest): Promise<JudgedTrial> {
  const tally = createAnswerTally((event) => labelOf(courier.event(event)));
  const record: Courier['record'] = (attempt, of) => {
    // With its body: what the answer says, or where it points to, is evidence.
    tally.add(attempt);
    return courier.record(attempt, of);
  };
  const watched = { ...courier, record };
  const rounds = roundsOf(plan, request, 'by-answers');
  courier.ports.listen({
    kind: 'phase',
    phase: 'trial',
    text: `Pattern ${plan.pattern}`,
    deliveries: plan.steps.length * rounds,
  });
  const executions = [];
  for (let number = 1; number <= rounds && !courier.ports.signal.aborted; number++) {
    const round = `round-${number}`;
    const identity = request.identities === 'captured' ? capturedIdentity(round) : family.identity(round);
    executions.push((await deliverRound({ plan, identities: [identity] }, watched)).execution);
  }
  const interrupted = courier.ports.signal.aborted;
  const doubts = doubtsOf({ plan: { ...plan, steps: [] }, executions, request, interrupted });
  const judged = judgeAnswersTrial(tally.conclude(), doubts);
  const trial = {
    ...emptyTrial(judged.verdict),
    rounds: executions.length,
    spreadMicros: spreadOf(executions),
    scheduleErrorMs: scheduleErrorOf(executions),
    ...judged,
  };
  return { trial, evidence: { kind: 'answers', doubts }, sources: [] };
}
