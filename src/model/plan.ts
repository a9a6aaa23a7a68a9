/**
 * When a step starts: at an offset from the plan's start, or once another step has come so far. A moment that never comes
 * (no byte of an answer) is taken to have come with the next one.
 */
export type Start =
  | { readonly kind: 'at'; readonly atMs: number }
  | { readonly kind: 'after'; readonly step: string; readonly moment: Moment; readonly delayMs: number };

/**
 * `sent`: the first attempt of that delivery is on its way; `first-byte`: its answer begins; `answered`: it is over, answered
 * or given up, and with it every delivery of its group; its retries come when they are due, and nobody waits for them.
 * A control is `sent` when it begins and `answered` when it is done.
 */
export type Moment = 'sent' | 'first-byte' | 'answered';

/**
 * How often a delivery is attempted.
 * `once`: one attempt, whatever the answer. `until-2xx`: again after each refused or missing answer,
 * waiting `delaysMs[n]` before attempt n + 2, until a 2xx or the end of the list.
 */
export type Repeat =
  | { readonly kind: 'once' }
  | { readonly kind: 'until-2xx'; readonly delaysMs: readonly number[]; readonly assumed: boolean };

/** One intended request of an event. */
export type Delivery = {
  /** The id of the event among the plan's events. */
  readonly event: string;
  /** 1 for the first delivery of this event in the plan, 2 for its first duplicate, and so on. */
  readonly copy: number;
  /**
   * `same`: the attempt's bytes and ids are those of the first copy (only time and signature are renewed).
   * `redelivery`: what the provider renews on a retry is renewed too (delivery id, attempt number).
   */
  readonly as: 'same' | 'redelivery';
  /** Deliveries of one group are held back and released in one turn of the event loop. */
  readonly group?: string | undefined;
  readonly repeat: Repeat;
  /** Which of the round's identities it goes out with; absent: the first. Two identities of one event are two events. */
  readonly identity?: string | undefined;
  /** A named change of the payload, made before it is signed: one of `CHANGES` in `src/mutate/changes.ts`. */
  readonly change?: string | undefined;
  /** How the request is made untrustworthy; absent: it is signed right. */
  readonly forgery?: Forgery | undefined;
  /** The first attempt is broken off by us; its retries are not. */
  readonly abandon?: Abandon | undefined;
};

/**
 * `missing`: without its signature. `wrong-secret`: signed with another one. `tampered`: one byte changed after it was signed.
 * `stale`: signed right, with a time beyond the provider's tolerance.
 */
export type Forgery = 'missing' | 'wrong-secret' | 'tampered' | 'stale';

/** `hang-up`: when no answer has come after so long. `reset`: as soon as the body is out. */
export type Abandon = { readonly kind: 'hang-up'; readonly afterMs: number } | { readonly kind: 'reset' };

/** What is done to the receiver from outside. */
export type Control =
  /** With everything it started. Due deliveries wait for the next `restart` of the plan. */
  | { readonly kind: 'kill'; readonly signal: 'SIGKILL' | 'SIGTERM' }
  /** Killed, where it still runs, and started again; done when it is ready. */
  | { readonly kind: 'restart' }
  /** It stands still, and goes on. */
  | { readonly kind: 'stop' }
  | { readonly kind: 'continue' }
  /** Begins by lying in wait; done when it struck, or at the latest after `withinMs`. */
  | { readonly kind: 'fault'; readonly fault: Fault };

/**
 * A place in the receiver's talk with a dependency: before turn `turn` (from 1) is passed on, or after its answer came back
 * and before the receiver gets it.
 */
export type Boundary = { readonly dependency: string; readonly turn: number; readonly side: 'before' | 'after' };

/**
 * What happens there, once. `kill`: the receiver's process is killed. `cut`: this connection breaks. `stall`: what is to be passed on
 * is held back for `forMs`. `refuse`: this and all other connections to the dependency break, and new ones are refused for `forMs`.
 */
export type Fault = Boundary & {
  readonly how: 'kill' | 'cut' | 'stall' | 'refuse';
  readonly forMs?: number | undefined;
  readonly withinMs: number;
};

export type DeliveryStep = { readonly id: string; readonly start: Start; readonly delivery: Delivery };
export type ControlStep = { readonly id: string; readonly start: Start; readonly control: Control };

/** One thing that happens. */
export type Step = DeliveryStep | ControlStep;

export function isDelivery(step: Step): step is DeliveryStep {
  return 'delivery' in step;
}

/** What will happen, as plain data: it can be printed, stored, compared, shrunk and replayed. */
export type Plan = {
  /** As the user wrote it, for example `duplicate:3+out-of-order:shuffle`. */
  readonly pattern: string;
  readonly seed: number;
  readonly steps: readonly Step[];
  /** True when the plan may deliver events of one resource in another order than the selection's. */
  readonly reorders: boolean;
  /** The most deliveries that may be open at a time; groups are released whole whatever this says. */
  readonly concurrency: number;
};

/** What patterns make: deliveries only. */
export type DeliveryPlan = Omit<Plan, 'steps'> & { readonly steps: readonly DeliveryStep[] };

export function deliveriesIn({ steps }: Pick<Plan, 'steps'>): readonly DeliveryStep[] {
  return steps.filter(isDelivery);
}
