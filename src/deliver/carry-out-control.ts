import type { ExecuteOptions } from '../model/execution.ts';
import type { ControlStep } from '../model/plan.ts';

/** What one control does; its first act is synchronous. @throws when there is nothing to act on: such a plan is a bug */
export async function carryOutControl(
  step: ControlStep,
  { receiver, onStrike, signal }: Pick<ExecuteOptions, 'receiver' | 'onStrike' | 'signal'>,
): Promise<void> {
  const { control } = step;
  if (!receiver) throw new Error(`Step ${step.id} acts on the receiver's process, which is not ours.`);
  switch (control.kind) {
    case 'kill':
      return receiver.kill(control.signal);
    case 'restart':
      return receiver.restart();
    case 'stop':
      return receiver.stop();
    case 'continue':
      return receiver.continue();
    case 'fault': {
      const { interception } = receiver;
      if (!interception) throw new Error(`Step ${step.id} needs a dependency that we stand in front of.`);
      onStrike?.(step, await interception.lieInWait(control.fault, signal));
    }
  }
}

/** Whether there is nobody to deliver to, and somebody soon will be. */
export type Gate = {
  readonly held: () => boolean;
  readonly begins: (step: ControlStep) => void;
  readonly done: (step: ControlStep) => void;
};

/** Deliveries are held from a kill to the end of the restart behind it. A plan that leaves the receiver dead holds nothing. */
export function createGate(steps: readonly ControlStep[]): Gate {
  let restartsLeft = steps.filter(({ control }) => control.kind === 'restart').length;
  let down = false;
  return {
    held: () => down && restartsLeft > 0,
    begins: ({ control: { kind } }) => {
      if (kind === 'kill' || kind === 'restart') down = true;
    },
    done: ({ control: { kind } }) => {
      if (kind !== 'restart') return;
      down = false;
      restartsLeft--;
    },
  };
}
