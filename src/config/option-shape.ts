/** An option of the command line as config file and environment see it. */
export type OptionShape = {
  /** Its name in the config file: `settleMax`. Of `--no-color` it is `color`. */
  readonly key: string;
  /** `--settle-max` */
  readonly flag: string;
  /** How it is written: `--settle-max <duration>`. */
  readonly usage: string;
  /** What stands for its value there, without brackets; absent for a switch. */
  readonly placeholder?: string | undefined;
  readonly kind: 'switch' | 'text' | 'number' | 'list';
  /** What its command gets of a text; throws `UserError`. Absent: the text itself. */
  readonly read?: ((text: string) => unknown) | undefined;
};

/** All that a config file may say. */
export type ConfigShape = {
  /** On the top level: options of the program, and those that commands share. */
  readonly shared: readonly OptionShape[];
  /** Below `commands`, by the command's name. */
  readonly commands: Readonly<Record<string, readonly OptionShape[]>>;
};
