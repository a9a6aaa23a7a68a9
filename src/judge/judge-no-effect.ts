import type { Finding } from '../model/finding.ts';
import { plural } from '../support/plural.ts';
import { attemptLines, describeRow } from './describe.ts';
import type { Stretch } from './evidence.ts';
import { ignoreFor } from './ignore-for.ts';
import { learnNoise } from './noise.ts';
import { type NormalEffect, normalise } from './normal-form.ts';
import { payloadFacts } from './payload-facts.ts';
import { effectName } from './places.ts';

export type NoEffectEvidence = {
  readonly stretch: Stretch;
  /** What changes by itself is learnt here. */
  readonly baselines: readonly [Stretch, Stretch];
  readonly payloads: readonly string[];
  readonly hint: string;
};

const MOST_ROWS = 4;

/** Deliveries that must not have an effect: whatever changed and is not noise is a finding, one for each place. */
export function judgeNoEffect({ stretch, baselines, payloads, hint }: NoEffectEvidence): readonly Finding[] {
  const facts = payloadFacts(payloads);
  const noise = learnNoise(normalise(baselines[0], facts), normalise(baselines[1], facts));
  const saysSomething = (row: NormalEffect) =>
    row.kind !== 'changed' || row.shape.columns.some((column) => noise.signal(row, column) !== undefined);
  const places = new Map<string, NormalEffect[]>();
  for (const row of normalise(stretch, facts).filter(saysSomething)) {
    const name = effectName(row);
    places.set(name, [...(places.get(name) ?? []), row]);
  }
  const ignore = ignoreFor([...baselines, stretch].flatMap(({ effects }) => effects));
  return [...places].map(([name, rows]): Finding => {
    const row = rows[0] as NormalEffect;
    return {
      check: 'no-effect',
      title: `${name}: ${plural(rows.length, 'change')} by deliveries that must do nothing`,
      event: stretch.rounds[0]?.events[0]?.label,
      effect: name,
      expected: 'no effect',
      actual: plural(rows.length, 'change'),
      evidence: [...attemptLines(stretch.attempts), ...rows.slice(0, MOST_ROWS).map(describeRow)],
      hint,
      ignore: ignore(row),
    };
  });
}
