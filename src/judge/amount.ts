import type { Cell } from '../model/effect.ts';

type Decimal = { readonly digits: bigint; readonly scale: number };

/** By how much a number grew; absent where one side is none. Exact for integers beyond 2^53 and for decimal texts of any length. */
export function growthOf(before: Cell, after: Cell): number | undefined {
  const [from, to] = [decimalOf(before), decimalOf(after)];
  if (!from || !to) return undefined;
  const scale = Math.max(from.scale, to.scale);
  const grown = widen(to, scale) - widen(from, scale);
  return tidy(Number(`${grown}e-${scale}`));
}

/** Float noise must not look like another amount. */
export function tidy(amount: number): number {
  return Math.abs(amount) < 1e9 ? Math.round(amount * 1e6) / 1e6 : amount;
}

/** Numbers, and texts that are plain decimals: amounts come as text from exact column types. Codes like `007` are none. */
function decimalOf(cell: Cell): Decimal | undefined {
  if (typeof cell === 'bigint') return { digits: cell, scale: 0 };
  if (typeof cell !== 'number' && typeof cell !== 'string') return undefined;
  const text = String(cell);
  const match = text.length <= 60 ? /^(-?(?:0|[1-9]\d*))(?:\.(\d+))?$/.exec(text) : null;
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

function widen({ digits, scale }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - scale);
}
