/** True when both have the same texts as often. Those that come in the same order, as most do, cost the least. */
export function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  const counts = new Map<string, number>();
  for (let at = from; at < a.length; at++) counts.set(a[at] as string, (counts.get(a[at] as string) ?? 0) + 1);
  for (let at = from; at < b.length; at++) {
    const left = counts.get(b[at] as string) ?? 0;
    if (left === 0) return false;
    counts.set(b[at] as string, left - 1);
  }
  return true;
}
