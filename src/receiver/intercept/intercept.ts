import type { Interception, Overhear } from '../../model/receiver-control.ts';
import type { Clock } from '../../support/clock.ts';
import type { Dependency } from './dependency-address.ts';
import { type StandIn, startStandIn } from './stand-in.ts';
import { createWatch } from './watch.ts';

export type InterceptSetup = {
  readonly dependencies: readonly Dependency[];
  readonly clock: Clock;
  /** By the dependency's variable; absent where nobody listens. */
  readonly overhear?: ReadonlyMap<string, Overhear> | undefined;
  /** Kills the receiver's process, at once. */
  readonly killReceiver: () => void;
};

export type Intercepted = {
  readonly interception: Interception;
  /** What the receiver must be started with. */
  readonly variables: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
};

/** Stands in front of each dependency, before the receiver is started. */
export async function intercept({ dependencies, clock, overhear, killReceiver }: InterceptSetup): Promise<Intercepted> {
  const watch = createWatch({ dependencies: dependencies.map(({ name }) => name), clock, killReceiver });
  const standIns: StandIn[] = [];
  const variables: Record<string, string> = {};
  for (const dependency of dependencies) {
    const standIn = await startStandIn({
      dependency,
      turnBegins: watch.turnBegins,
      overhear: overhear?.get(dependency.name),
      clock,
    });
    standIns.push(standIn);
    variables[dependency.name] = dependency.rewrite(standIn.port);
  }
  return {
    interception: watch,
    variables,
    close: async () => {
      await Promise.all(standIns.map((standIn) => standIn.close()));
    },
  };
}
