import type { Effect } from '../model/effect.ts';

/** One source's table, JSON array, or list of calls; and the rows of it that are compared with one another. */
export type Place = { readonly table: string; readonly group: string };

/** Gives equal places as the very same object, since there are many rows and few places. */
export function placeMaker(): (effect: Effect, isShared: boolean) => Place {
  const places = new Map<string, Place>();
  let latest: { readonly effect: Effect; readonly isShared: boolean; readonly place: Place } | undefined;
  const find = (effect: Effect, isShared: boolean) => {
    const table = `${effect.effect}|${effect.collection}`;
    const group = `${table}|${effect.kind}${isShared ? '|shared' : ''}`;
    const place = places.get(group) ?? { table, group };
    places.set(group, place);
    return place;
  };
  return (effect, isShared) => {
    const isSame =
      latest?.effect.collection === effect.collection &&
      latest.effect.effect === effect.effect &&
      latest.effect.kind === effect.kind &&
      latest.isShared === isShared;
    if (!latest || !isSame) latest = { effect, isShared, place: find(effect, isShared) };
    return latest.place;
  };
}

/** `orders`, or `shop.orders` where the source has a name of its own. */
export function effectName({ effect, collection }: Pick<Effect, 'effect' | 'collection'>): string {
  return collection === '' || collection === effect ? effect : `${effect}.${collection}`;
}
