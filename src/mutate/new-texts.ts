import { pushTo } from '../support/push-to.ts';
import { type Random, wordRandom } from '../support/random.ts';
import type { Registry, Unit } from './registry.ts';
import type { Shape } from './shapes.ts';

/** Units of one shape, the smallest first. */
type Rank = { readonly shape: Shape; readonly units: readonly Unit[] };

/**
 * Prepares what every round does: draw as many new pieces of each shape as there are old ones, and pair them up in order.
 * The same words give the same pieces.
 * @returns a function from words to new texts, by the unit's index
 */
export function createDraws(
  registry: Pick<Registry, 'units' | 'taken'>,
): (...words: readonly string[]) => readonly string[] {
  let ranks: readonly Rank[] | undefined;
  return (...words) => {
    ranks ??= rank(registry.units);
    const random = wordRandom(...words);
    const used = new Set(registry.taken);
    const texts = new Array<string>(registry.units.length).fill('');
    for (const { shape, units } of ranks) {
      const drawn = drawDistinct(shape, units.length, { random, used });
      for (const [place, { index, text }] of units.entries()) {
        texts[index] = shape.finish(drawn[place] as string, text);
        used.add(texts[index]);
      }
    }
    return texts;
  };
}

type Chance = { readonly random: Random; readonly used: ReadonlySet<string> };

/** Every shape has far more texts than a family has ids, so this ends soon. */
function drawDistinct(shape: Shape, count: number, { random, used }: Chance): readonly string[] {
  const drawn = new Set<string>();
  while (drawn.size < count) {
    const text = shape.draw(random);
    if (!used.has(text)) drawn.add(text);
  }
  return [...drawn].sort(shape.compare);
}

function rank(units: readonly Unit[]): readonly Rank[] {
  const byShape = new Map<string, Unit[]>();
  for (const unit of units) pushTo(byShape, unit.shape.name, unit);
  return [...byShape.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, same]) => {
      const shape = (same[0] as Unit).shape;
      return { shape, units: same.toSorted((a, b) => shape.compare(a.text, b.text)) };
    });
}
