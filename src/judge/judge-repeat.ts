import type { Finding } from '../model/finding.ts';
import { plural } from '../support/plural.ts';
import { attemptLines, describeRow } from './describe.ts';
import type { Stretch } from './evidence.ts';
import { ignoreFor } from './ignore-for.ts';
import { type NormalEffect, normalise } from './normal-form.ts';
import { payloadFacts } from './payload-facts.ts';
import { effectName } from './places.ts';

/** An attempt that was answered 5xx had effects, and the retry that was taken had the same ones again. */
export function judgeRepeat(refused: Stretch, retried: Stretch, payloads: readonly string[]): readonly Finding[] {
  const facts = payloadFacts(payloads);
  const before = normalise(refused, facts).filter(({ kind }) => kind === 'added');
  const again = normalise(retried, facts).filter(({ kind }) => kind === 'added');
  const ignore = ignoreFor([...refused.effects, ...retried.effects]);
  const placeOf = (row: NormalEffect) => row.group;
  const places = new Set(before.map(placeOf));
  return [...places].flatMap((place): readonly Finding[] => {
    const [first] = before.filter((row) => placeOf(row) === place);
    const second = again.filter((row) => placeOf(row) === place);
    const [row] = second;
    if (!first || !row) return [];
    return [
      {
        check: 'no-second-effect',
        title: `${effectName(row)}: the retry of an attempt that was answered 5xx repeated its effect`,
        event: refused.rounds[0]?.events[0]?.label,
        effect: effectName(row),
        expected: 'nothing new, since the first attempt had done it',
        actual: `${plural(second.length, 'row')} added again`,
        evidence: [
          ...attemptLines([...refused.attempts, ...retried.attempts]),
          describeRow(first),
          `${describeRow(row)}   <- second effect`,
        ],
        hint: 'What was done must be undone when the answer is an error, or be remembered: effect and event id in one transaction, and nothing behind its commit that can fail the request.',
        ignore: ignore(row),
      },
    ];
  });
}
