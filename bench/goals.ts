/** What a figure of this run should be at least or at most. */
export type Goal = {
  readonly what: string;
  readonly value: number;
  readonly least?: number;
  readonly most?: number;
};

export function isReached({ value, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }: Goal): boolean {
  return value >= least && value <= most;
}

export function goalText({ what, value, least, most }: Goal): string {
  const bound = least === undefined ? `at most ${most}` : `at least ${least}`;
  return `${what}: ${value.toFixed(2)} (goal: ${bound})`;
}
