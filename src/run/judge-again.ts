import { type IgnoreRule, unusedRules } from '../judge/ignore.ts';
import { createAnswerTally } from '../judge/judge-answers.ts';
import type { Run, Trial } from '../model/run.ts';
import { judgeActs, judgeAnswersTrial, judgeContact, judgeEffectsTrial, type TrialJudgement } from './judge-trial.ts';
import type { StoredCast } from './stored-evidence.ts';
import type { TrialEvidence } from './trial-evidence.ts';
import { type KeptRun, unpackEvidence } from './unpack-evidence.ts';
import { verdictOf } from './verdict-of.ts';

export type JudgedAgain = {
  /** With the same id, and notes that say so. */
  readonly run: Run;
  /** Further rules that match nothing of all that was seen. */
  readonly unused: readonly string[];
};

/**
 * Judges a kept run once more without sending anything: by the same evidence, with the checks of today and further rules of what
 * to ignore; those that the run had already are no further ones. Trials that came to no judgement then stay as they were. Throws `UserError` when the evidence is not there.
 */
export function judgeAgain(kept: KeptRun, rules: readonly IgnoreRule[]): JudgedAgain {
  const { flags: given } = kept.run.request;
  const ignore = rules.filter(({ text }) => !given.some((word, at) => word === text && given[at - 1] === '--ignore'));
  const { cast, trials: evidence, stretches } = unpackEvidence(kept, ignore);
  const { run } = kept;
  const trials = run.trials.map((trial, place): Trial => {
    const known = evidence.get(place);
    if (!known) return trial;
    const judged = judgeTrial(known, cast, kept);
    return { ...trial, reason: undefined, ...judged, notes: [...judged.notes, ...cast.assumptions] };
  });
  const further = ignore.map(({ text }) => text);
  const flags = [...given, ...further.flatMap((text) => ['--ignore', text])];
  return {
    run: {
      ...run,
      trials,
      verdict: verdictOf(trials, run.strict),
      request: { ...run.request, flags },
      notes: [...(run.notes ?? []), ...notesOf(trials, { evidence, further })],
    },
    unused: unusedRules(
      ignore,
      stretches.flatMap(({ effects }) => effects),
    ),
  };
}

function judgeTrial(evidence: TrialEvidence, cast: StoredCast, { attempts }: KeptRun): TrialJudgement {
  switch (evidence.kind) {
    case 'effects':
      return judgeEffectsTrial(evidence);
    case 'acts':
      return judgeActs(evidence);
    case 'first-contact':
      return judgeContact(evidence);
    case 'answers': {
      const labels = new Map(cast.events.map(({ id, label = id }) => [id, label]));
      const tally = createAnswerTally((event) => labels.get(event) ?? event);
      for (const attempt of attempts) tally.add(attempt);
      return judgeAnswersTrial(tally.conclude(), evidence.doubts);
    }
  }
}

type Judging = { readonly evidence: ReadonlyMap<number, TrialEvidence>; readonly further: readonly string[] };

function notesOf(trials: readonly Trial[], { evidence, further }: Judging): readonly string[] {
  const left = trials.filter(
    ({ verdict }, place) => !evidence.has(place) && verdict !== 'skip' && verdict !== 'not-applicable',
  );
  return [
    `Judged again by what was kept; nothing was sent.${further.length > 0 ? ` Ignored besides: ${further.join(', ')}.` : ''}`,
    ...(left.length > 0
      ? [`Not judged again, since nothing was kept of them: ${left.map(({ id }) => id).join(', ')}.`]
      : []),
  ];
}
