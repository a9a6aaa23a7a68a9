import type { Probe } from '../model/effect.ts';
import type { Clock } from '../support/clock.ts';

/** What a source may use of the process. */
export type SourceContext = {
  /** Relative paths start here, and commands run here. */
  readonly cwd: string;
  /** The environment of commands. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
};

/** What stands behind `--effect`, already taken apart at the scheme. */
export type SourceAddress = {
  /** The whole source without the user's own name: `sqlite:app.db#orders`. */
  readonly text: string;
  /** What follows the scheme's colon: `app.db#orders`. */
  readonly rest: string;
};

/** A source that was understood but not touched yet. */
export type UnopenedSource = {
  /** The effect's name when the user gave none. */
  readonly defaultName: string;
  /** True where the receiver comes to us: opened before it is started, so that it can be told where. */
  readonly listens?: boolean | undefined;
  /** Throws `ProbeError` when the source cannot be read now. */
  readonly open: (name: string, context: SourceContext) => Promise<Probe>;
};

/** One kind of effect source. */
export type Source = {
  readonly scheme: string;
  /** How it is written, for messages and help. */
  readonly form: string;
  /** Throws `UserError` for what can never be right; touches nothing. */
  readonly parse: (address: SourceAddress) => UnopenedSource;
};
