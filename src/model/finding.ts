/** A broken check with its evidence. The command that repeats it is added where it is reported. */
export type Finding = {
  readonly check: string;
  /** One sentence: what is wrong. */
  readonly title: string;
  /** The event's id as the provider (else the corpus) names it; absent when the evidence does not name one. */
  readonly event?: string | undefined;
  /** The effect's name, with its table where it has several. */
  readonly effect?: string | undefined;
  readonly expected: string;
  readonly actual: string;
  /** What was seen, a line each: attempts and rows. */
  readonly evidence: readonly string[];
  /** The likely cause and what to do. */
  readonly hint: string;
  /** The `--ignore`s that would silence it together, when that is a legal answer. */
  readonly ignore?: readonly string[] | undefined;
  /** Words that narrow the command that repeats it down to what found it. */
  readonly only?: readonly string[] | undefined;
};
