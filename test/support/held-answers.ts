export type HeldAnswers = {
  /** Gives the answer now, or when there are to be more. */
  readonly answer: (give: () => void) => void;
  /** From now on as many as the next stage says; behind the last one, all. */
  readonly release: () => void;
};

/** No more than so many answers in all are given at each stage: a test can look at what is shown then, however fast or slow all are. */
export function heldAnswers(stages: readonly number[]): HeldAnswers {
  const limits = [...stages, Number.POSITIVE_INFINITY];
  const waiting: Array<() => void> = [];
  let given = 0;
  const giveSome = () => {
    for (; given < (limits[0] ?? 0) && waiting.length > 0; given++) waiting.shift()?.();
  };
  return {
    answer: (give) => {
      waiting.push(give);
      giveSome();
    },
    release: () => {
      limits.shift();
      giveSome();
    },
  };
}
