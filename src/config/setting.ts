/** Where a value comes from, the strongest first. */
export type Origin =
  | { readonly kind: 'flag' }
  /** A variable of the environment. */
  | { readonly kind: 'environment'; readonly name: string }
  /** A variable of the `.env` file. */
  | { readonly kind: 'env-file'; readonly name: string; readonly file: string }
  | { readonly kind: 'config'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly kind: 'default' };

/** A value that was not given as a flag, as its source has it. */
export type Found = {
  readonly origin: Exclude<Origin, { readonly kind: 'flag' | 'default' }>;
  /** The folder its paths count from; absent: the working folder. */
  readonly folder?: string | undefined;
  /** Of the environment always text. Of a list one for each entry. */
  readonly values: readonly LocatedValue[];
};

export type LocatedValue = {
  readonly value: unknown;
  /** For messages: `webhook-replay.config.json:3:5`, or the variable. */
  readonly where: string;
};

/** For people: `flag`, `WEBHOOK_REPLAY_TO`, `WEBHOOK_REPLAY_TO in .env`, `FILE:3:5`, `default`. */
export function originText(origin: Origin): string {
  switch (origin.kind) {
    case 'environment':
      return origin.name;
    case 'env-file':
      return `${origin.name} in ${origin.file}`;
    case 'config':
      return `${origin.file}:${origin.line}:${origin.column}`;
    default:
      return origin.kind;
  }
}
