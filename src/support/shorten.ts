/** Cuts out of the middle: both ends of an id tell it from others. For one-column characters. */
export function shortenMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 3) / 2);
  return `${text.slice(0, head)}...${text.slice(text.length - (most - 3 - head))}`;
}
