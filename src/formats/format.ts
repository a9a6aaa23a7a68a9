import type { FoundRequest } from '../model/event.ts';

export type ParseOptions = {
  /** The file's name, for messages. */
  readonly name: string;
  /** `--method` and `--path`: what a bare body lacks. */
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  /** Reads a file that the parsed one refers to (curl's `@file`); absent where none may be read. */
  readonly readFile?: ((path: string) => Uint8Array) | undefined;
};

/** One way in which requests are kept in files. */
export type Format = {
  /** What `--format` calls it. */
  readonly id: string;
  readonly title: string;
  /** True when content or name leave little doubt. */
  readonly recognises: (bytes: Uint8Array, name: string) => boolean;
  /** All requests of the file, in its order, or a `UserError` that says where it is wrong. */
  readonly parse: (bytes: Uint8Array, options: ParseOptions) => readonly FoundRequest[];
};
