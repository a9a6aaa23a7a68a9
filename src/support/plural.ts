/** `1 event`, `3 events`, `2 deliveries`. */
export function plural(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun.replace(/y$/, 'ie')}s`}`;
}
