import { UserError } from './errors.ts';

const UNITS: Record<string, number> = { '': 1, b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Reads `1048576`, `64kb`, `1mb`, `1.5MiB`; units are powers of 1024, in any case. */
export function parseBytes(text: string, flag: string): number {
  const match = /^(\d+(?:\.\d+)?) ?(?:([kmg])(?:i?b)?|b)?$/i.exec(text.trim());
  if (!match) {
    throw new UserError('BAD_SIZE', `"${text}" is not a size (${flag}).`, {
      hint: 'Write it like 1048576, 64kb, 1mb or 32mb.',
    });
  }
  return Math.floor(Number(match[1]) * (UNITS[(match[2] ?? '').toLowerCase()] as number));
}

/** For people: `0 B`, `812 B`, `4.8 KB`, `32 MB`, in powers of 1024. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const unit = bytes < 1024 ** 2 ? 'KB' : bytes < 1024 ** 3 ? 'MB' : 'GB';
  const amount = bytes / (UNITS[unit.charAt(0).toLowerCase()] as number);
  return `${amount.toFixed(amount < 10 ? 1 : 0).replace(/\.0$/, '')} ${unit}`;
}
