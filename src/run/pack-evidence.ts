import type { Stretch } from '../judge/evidence.ts';
import type { EvidencePart } from '../model/corpus.ts';
import type { WebhookEvent } from '../model/event.ts';
import type { Run } from '../model/run.ts';
import { labelOf } from './courier.ts';
import { packStretch } from './pack-stretch.ts';
import { EVIDENCE_SCHEMA, type StoredAct, type StoredCast, type StoredTrial } from './stored-evidence.ts';
import type { ActEvidence, TrialEvidence } from './trial-evidence.ts';

export type JudgedBy = {
  readonly events: readonly WebhookEvent[];
  /** One for each of the run's trials; absent for one that was not judged. */
  readonly evidence: ReadonlyArray<TrialEvidence | undefined>;
  readonly assumptions?: readonly string[] | undefined;
};

/**
 * What a run was judged by, as parts for the corpus; none when nothing was judged.
 * @param isKept true for an event whose payload the corpus has
 */
export function packEvidence(
  { events, evidence, assumptions = [] }: JudgedBy,
  run: Run,
  isKept: (event: WebhookEvent) => boolean,
): readonly EvidencePart[] {
  if (evidence.every((each) => each === undefined)) return [];
  const packing = createPacking(events, run);
  const trials = evidence.flatMap((each, index) =>
    each ? [{ name: `trial.${index}`, document: packTrial(each, packing) }] : [],
  );
  const used = packing.usedPayloads();
  const cast: StoredCast = {
    schema: EVIDENCE_SCHEMA,
    events: events.map((event, index) => {
      const { id, resource } = event;
      const label = labelOf(event);
      const head = label === id ? { id } : { id, label };
      return used.has(index) ? { ...head, resource, payload: isKept(event) ? undefined : textOf(event) } : head;
    }),
    assumptions,
  };
  return [{ name: 'run', document: cast }, ...packing.stretches(), ...trials];
}

type Packing = ReturnType<typeof createPacking>;

/** Gives the parts that trials share their numbers. */
function createPacking(events: readonly WebhookEvent[], run: Run) {
  const indexes = new Map(events.map(({ id }, index) => [id, index]));
  let texts: ReadonlyMap<string, number> | undefined;
  const used = new Set<number>();
  const numbers = new Map<Stretch, number>();
  const parts: EvidencePart[] = [];
  return {
    run,
    stretch: (stretch: Stretch): number => {
      const known = numbers.get(stretch);
      if (known !== undefined) return known;
      const number = numbers.size;
      numbers.set(stretch, number);
      parts.push({ name: `stretch.${number}`, document: packStretch(stretch, (id) => indexes.get(id) ?? -1) });
      return number;
    },
    payloads: (payloads: readonly string[]): readonly number[] => {
      texts ??= new Map(events.map((event, index) => [textOf(event), index]));
      const places = payloads.flatMap((text) => texts?.get(text) ?? []);
      for (const place of places) used.add(place);
      return places;
    },
    usedPayloads: (): ReadonlySet<number> => used,
    stretches: (): readonly EvidencePart[] => parts,
  };
}

function packTrial(evidence: TrialEvidence, packing: Packing): StoredTrial {
  const { run, stretch, payloads } = packing;
  switch (evidence.kind) {
    case 'effects': {
      const { kind, plan, baselines, trial, doubts } = evidence;
      return {
        kind,
        plan: plan === run.plan ? null : plan,
        baselines: [stretch(baselines[0]), stretch(baselines[1])],
        trial: trial.map(stretch),
        payloads: payloads(evidence.payloads),
        doubts,
      };
    }
    case 'answers':
      return evidence;
    case 'acts':
      return { ...evidence, acts: evidence.acts.map((act) => packAct(act, packing)) };
    case 'first-contact': {
      const { kind, first, retried } = evidence;
      return { kind, first: stretch(first), retried: stretch(retried), payloads: payloads(evidence.payloads) };
    }
  }
}

function packAct(
  { stretch, baselines, references, payloads, bodies, ...act }: ActEvidence,
  packing: Packing,
): StoredAct {
  return {
    ...act,
    stretch: packing.stretch(stretch),
    baselines: baselines ? [packing.stretch(baselines[0]), packing.stretch(baselines[1])] : null,
    references: references && [packing.stretch(references[0]), packing.stretch(references[1])],
    payloads: packing.payloads(payloads),
    bodies: [...bodies],
  };
}

function textOf({ payload }: WebhookEvent): string {
  return Buffer.from(payload).toString('latin1');
}
