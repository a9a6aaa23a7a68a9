import { openListening, type ProbeSet } from '../observe/sources.ts';
import type { Context, GlobalOptions } from './context.ts';
import { tellAddresses } from './tell-addresses.ts';
import type { TestOptions } from './test-flags.ts';

type Options = TestOptions & GlobalOptions;

/** What a receiver is started with. */
export type Told = {
  readonly options: Options;
  readonly context: Context;
  /** Absent without `--start`. */
  readonly probes?: ProbeSet | undefined;
};

/** With `--start`: opens the sources where we listen before the receiver starts, so that it can be told where they are. */
export async function withListening<T>(
  options: Options,
  context: Context,
  work: (told: Told) => Promise<T>,
): Promise<T> {
  const { start, effect = [] } = options;
  if (start === undefined) return work({ options, context });
  const { cwd, env, clock } = context;
  const probes = await openListening(effect, { cwd, env, clock });
  try {
    const { command, variables } = tellAddresses(start, probes.listening);
    return await work({
      options: { ...options, start: command },
      context: { ...context, env: { ...env, ...variables } },
      probes,
    });
  } finally {
    await probes.close();
  }
}
