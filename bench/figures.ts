export type Figures = { readonly median: number; readonly min: number; readonly max: number };

export function figuresOf(values: readonly number[]): Figures {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 };
}

/** `97 % (95 to 99)` */
export function shown({ median, min, max }: Figures, show: (value: number) => string): string {
  return `${show(median)} (${show(min)} to ${show(max)})`;
}

export function row(...cells: readonly string[]): void {
  const [title = '', ...rest] = cells;
  console.log(`  ${title.padEnd(34)}${rest.map((cell) => cell.padStart(26)).join('')}`);
}
