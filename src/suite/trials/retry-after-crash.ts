import type { WebhookEvent } from '../../model/event.ts';
import type { Step } from '../../model/plan.ts';
import type { Turn } from '../../model/receiver-control.ts';
import { withProcess } from '../availability.ts';
import { boundariesOf, boundaryCode, boundaryText, turnCounts } from '../boundaries.ts';
import { control, deliver, KILL, onceEach, RESTART } from '../build.ts';
import { faultAct } from '../fault-act.ts';
import type { Script, Stage, TrialDefinition } from '../trial-definition.ts';

const KILLS = 12;
/** A little beyond the answer, for what is done behind it. */
const SPAN = 1.2;

export const retryAfterCrash: TrialDefinition = {
  id: 'retry.after-crash',
  title: 'An event whose receiver is killed in the middle of it, and which is delivered again, has one effect',
  material: 'single',
  needsEffects: true,
  needsTurns: true,
  availability: withProcess,
  script: (stage) => {
    const [event] = stage.events;
    if (!event) return { rounds: 1, acts: [] };
    return stage.turns ? atBoundaries(event, stage, stage.turns) : atTimes(event, stage);
  },
};

function atBoundaries(event: WebhookEvent, { latencyMs, lateMs }: Stage, turns: readonly Turn[]): Script {
  const boundaries = boundariesOf(turns);
  return {
    rounds: 1,
    acts: boundaries.map((boundary, index) =>
      faultAct(event, {
        number: index + 1,
        fault: { ...boundary, how: 'kill' },
        latencyMs,
        lateMs,
        name: `killed ${boundaryText(boundary, turns)}`,
        only: ['--crash-at', boundaryCode(boundary)],
      }),
    ),
    tries: `${turnCounts(turns)}: ${boundaries.length} boundaries, before and after each turn`,
  };
}

/** Without knowing when it does what, only chance hits the moment between two writes. */
function atTimes(event: WebhookEvent, { latencyMs, lateMs }: Stage): Script {
  const spanMs = SPAN * (latencyMs + lateMs);
  const stepsOfRounds = Array.from({ length: KILLS }, (_, kill) =>
    killedAfter(((kill + 0.5) * spanMs) / KILLS, event, lateMs),
  );
  const act = onceEach(stepsOfRounds[0] ?? [], {
    identities: ['a', 'w'],
    stepsOfRounds,
    name: `killed at one of ${KILLS} moments`,
  });
  return {
    rounds: KILLS,
    acts: [act],
    tries: `${KILLS} kills spread over ${spanMs < 10 ? spanMs.toFixed(1) : Math.round(spanMs)} ms, which may miss the moment that matters (with --intercept each boundary is tried)`,
  };
}

/** Warmed up first: a receiver that was just started is slower than the latency that was measured. */
function killedAfter(delayMs: number, event: WebhookEvent, lateMs: number): readonly Step[] {
  return [
    { id: 'warm', start: { kind: 'at', atMs: 0 }, delivery: deliver(event, { identity: 'w' }) },
    {
      id: 's1',
      start: { kind: 'after', step: 'warm', moment: 'answered', delayMs: 2 * lateMs },
      delivery: deliver(event),
    },
    control('kill', KILL, { step: 's1', moment: 'sent', delayMs }),
    control('restart', RESTART, { step: 'kill' }),
  ];
}
