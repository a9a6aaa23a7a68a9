import type { Stretch } from '../judge/evidence.ts';
import { applyIgnore, type IgnoreRule } from '../judge/ignore.ts';
import type { Attempt } from '../model/attempt.ts';
import type { EvidencePart } from '../model/corpus.ts';
import type { Run } from '../model/run.ts';
import { UserError } from '../support/errors.ts';
import { unpackStretch } from './pack-stretch.ts';
import { withoutBody } from './ports.ts';
import {
  EVIDENCE_SCHEMA,
  type StoredAct,
  type StoredCast,
  type StoredStretch,
  type StoredTrial,
} from './stored-evidence.ts';
import type { ActEvidence, TrialEvidence } from './trial-evidence.ts';

/** A run as the corpus has it. */
export type KeptRun = {
  readonly run: Run;
  readonly parts: readonly EvidencePart[];
  readonly attempts: readonly Attempt[];
  /** One character a byte; absent for an event that is gone. */
  readonly payloadOf: (event: string) => string | undefined;
};

export type UnpackedEvidence = {
  readonly cast: StoredCast;
  /** By the trial's place in the run. */
  readonly trials: ReadonlyMap<number, TrialEvidence>;
  /** Of all stretches, before the further rules were applied. */
  readonly stretches: readonly Stretch[];
};

/**
 * What a run was judged by, as it was then, but for what the further rules take out.
 * Throws `UserError` when it was not kept, or not all of it is there any more.
 */
export function unpackEvidence(kept: KeptRun, ignore: readonly IgnoreRule[]): UnpackedEvidence {
  const { run, parts } = kept;
  const cast = parts.find(({ name }) => name === 'run')?.document as StoredCast | undefined;
  if (cast?.schema !== EVIDENCE_SCHEMA) throw noEvidence(run, cast);
  const known = {
    events: cast.events,
    attempts: new Map(kept.attempts.map((attempt) => [attempt.number, withoutBody(attempt)])),
  };
  const stretches = documentsOf<StoredStretch>('stretch', parts).map(([, stored]) => unpackStretch(stored, known));
  const trimmed = stretches.map((stretch) => ({ ...stretch, effects: applyIgnore(stretch.effects, ignore) }));
  const lookUp: LookUp = {
    run,
    stretch: (number) => found(trimmed[number]),
    payloads: (places) => places.map((place) => payloadAt(place, cast, kept)),
  };
  const trials = documentsOf<StoredTrial>('trial', parts).map(
    ([place, stored]) => [place, unpackTrial(stored, lookUp)] as const,
  );
  return { cast, trials: new Map(trials), stretches };
}

type LookUp = {
  readonly run: Run;
  readonly stretch: (number: number) => Stretch;
  readonly payloads: (places: readonly number[]) => readonly string[];
};

function unpackTrial(stored: StoredTrial, { run, stretch, payloads }: LookUp): TrialEvidence {
  switch (stored.kind) {
    case 'effects':
      return {
        ...stored,
        plan: found(stored.plan ?? run.plan),
        baselines: [stretch(stored.baselines[0]), stretch(stored.baselines[1])],
        trial: stored.trial.map(stretch),
        payloads: payloads(stored.payloads),
      };
    case 'answers':
      return stored;
    case 'acts':
      return { ...stored, acts: stored.acts.map((act) => unpackAct(act, { run, stretch, payloads })) };
    case 'first-contact': {
      const { kind, first, retried } = stored;
      return { kind, first: stretch(first), retried: stretch(retried), payloads: payloads(stored.payloads) };
    }
  }
}

function unpackAct(act: StoredAct, { stretch, payloads }: LookUp): ActEvidence {
  const { baselines, references } = act;
  return {
    ...act,
    stretch: stretch(act.stretch),
    baselines: baselines ? [stretch(baselines[0]), stretch(baselines[1])] : undefined,
    references: references && [stretch(references[0]), stretch(references[1])],
    payloads: payloads(act.payloads),
    bodies: new Map(act.bodies),
  };
}

/** The parts `name.0`, `name.1`, ... with their numbers, in their order. */
function documentsOf<T>(name: string, parts: readonly EvidencePart[]): ReadonlyArray<readonly [number, T]> {
  return parts.flatMap((part) => {
    const [kind, number] = part.name.split('.');
    return kind === name ? [[Number(number), part.document as T] as const] : [];
  });
}

function payloadAt(place: number, { events }: StoredCast, { payloadOf, run }: KeptRun): string {
  const event = found(events[place]);
  const payload = event.payload ?? payloadOf(event.id);
  if (payload !== undefined) return payload;
  throw new UserError(
    'EVIDENCE_GONE',
    `The event "${event.label ?? event.id}" is no longer in the corpus, so run ${run.id} cannot be judged again.`,
    { exitCode: 3, hint: 'webhook-replay report shows what was judged then.' },
  );
}

function noEvidence({ id }: Run, cast: StoredCast | undefined): UserError {
  const why = cast ? 'was kept in a form that this version does not know' : 'was not kept';
  return new UserError('NO_EVIDENCE', `What run ${id} was judged by ${why}, so it cannot be judged again.`, {
    exitCode: 3,
    hint: 'Nothing is kept of a run that came to no judgement. webhook-replay report shows what was said of it.',
  });
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The evidence of this run names something that is not in it.');
  return value;
}
