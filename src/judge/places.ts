import type { NormalEffect } from './normal-form.ts';

type Place = Pick<NormalEffect, 'effect' | 'collection' | 'kind'>;

/** One source's table, JSON array, or list of calls. */
export function tableOf({ effect, collection }: Omit<Place, 'kind'>): string {
  return `${effect}|${collection}`;
}

/** Rows that are compared with one another. */
export function groupOf(row: Place & Pick<NormalEffect, 'isShared'>): string {
  return `${tableOf(row)}|${row.kind}${row.isShared ? '|shared' : ''}`;
}

/** `orders`, or `shop.orders` where the source has a name of its own. */
export function effectName({ effect, collection }: Omit<Place, 'kind'>): string {
  return collection === '' || collection === effect ? effect : `${effect}.${collection}`;
}

export function pushTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
