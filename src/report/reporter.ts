import type { Progress, Run } from '../model/run.ts';
import type { Style } from './style.ts';

/** What a report needs to know besides the run. */
export type Look = {
  readonly style: Style;
  /** The tool's own. */
  readonly version: string;
  /** Only the result. */
  readonly quiet: boolean;
};

/** A way to tell a run. Pure: files, environment and streams are the business of whoever calls it. */
export type Reporter = {
  readonly name: string;
  /** For help, a few words. */
  readonly summary: string;
  /** The whole report of a finished run. No secret is in it that is not in the run. */
  readonly render: (run: Run, look: Look) => string;
  /** Where a report is told as the run goes on: makes the line of each thing that happens; that of `finished` is the last. */
  readonly stream?: ((version: string) => (progress: Progress) => string) | undefined;
  /** True for lines that may follow another report on the same stream; it takes no file then. */
  readonly isAside?: boolean | undefined;
  /** What else is written, to the end of the file that an environment variable names. */
  readonly appendix?: Appendix | undefined;
};

export type Appendix = {
  readonly variable: string;
  /** The file must not grow beyond. */
  readonly mostBytes: number;
  /** @param roomBytes what is left of `mostBytes` */
  readonly render: (run: Run, roomBytes: number) => string;
};
