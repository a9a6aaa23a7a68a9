import type { WebhookEvent } from '../model/event.ts';
import type { Step } from '../model/plan.ts';
import type { Turn } from '../model/receiver-control.ts';
import type { Provider } from '../providers/provider.ts';

/**
 * Which events a trial plays with. `single`: one event. `updates`: a resource that is created and updated, at least two events,
 * oldest first. `deletion`: the same with an update before a last event that takes the resource away.
 */
export type MaterialKind = 'single' | 'updates' | 'deletion';

/** What is known before anything is sent. */
export type SuiteFacts = {
  readonly provider: Provider;
  readonly hasSecret: boolean;
  readonly materials: ReadonlyMap<MaterialKind, readonly WebhookEvent[]>;
  /** Whether the single event can be changed in this way. */
  readonly canChange: (change: string) => boolean;
  /** True when the receiver's process is ours to kill. */
  readonly hasProcess: boolean;
  /** True when we stand in front of a dependency of it. */
  readonly hasInterception: boolean;
};

export type Availability =
  | { readonly kind: 'ready' }
  /** A flag would make it possible. */
  | { readonly kind: 'skip'; readonly needs: readonly string[]; readonly reason: string }
  | { readonly kind: 'not-applicable'; readonly reason: string };

/** What the baseline told. */
export type Stage = {
  /** The material's events, oldest first. */
  readonly events: readonly WebhookEvent[];
  /** How long one delivery took in the baseline, milliseconds, median. */
  readonly latencyMs: number;
  /** How long the provider waits for an answer. */
  readonly timeoutMs: number;
  /** How long after the answer the last effect came, milliseconds; 0 where it came with it. */
  readonly lateMs: number;
  /** What the receiver says to its dependencies while it works on one delivery; absent for a trial that does not ask for it, and without interception. */
  readonly turns?: readonly Turn[] | undefined;
};

/** What a first attempt may be answered. `taken`: 2xx in the end, after retries. */
export type AnswerClass = 'taken' | '2xx' | '4xx';

/** A stretch of a trial that ends when all is quiet. */
export type Act = {
  /**
   * `once`: each identity has the effects of its events once. `nothing`: there are none. `any`: only answers matter here.
   * `gap`: the last event has its effect although the one before it never came; needs `references`.
   */
  readonly effects: 'once' | 'nothing' | 'any' | 'gap';
  /** Names of the identities that take part; deliveries that name none are of the first. */
  readonly identities: readonly [string, ...string[]];
  readonly steps: readonly Step[];
  /** One for each round, with the same ids of steps, where rounds differ; `steps` is then the first of them. */
  readonly stepsOfRounds?: ReadonlyArray<readonly Step[]> | undefined;
  /** What is special about this act, behind the title of what it finds: `when it was killed ...`. */
  readonly name?: string | undefined;
  /** Words of a command line that plays only this act of the trial. */
  readonly only?: readonly string[] | undefined;
  /** Delivered before, each under an identity of its own: the events before the gap, and all but the last. */
  readonly references?: readonly [before: readonly Step[], withoutLast: readonly Step[]] | undefined;
  /** Identities that nothing is expected of, neither effects nor answers. */
  readonly aside?: readonly string[] | undefined;
  /** True when events may arrive in another order than they happened. */
  readonly reorders: boolean;
  /** For every delivery of the act. */
  readonly answers: AnswerClass;
  /** What to do when an answer is none of these. */
  readonly hint: string;
  /** Every answer must come within this, counted from the planned time; more than `warnMs` is a warning. */
  readonly latency?: { readonly budgetMs: number; readonly warnMs: number } | undefined;
};

export type Script = {
  /** How often the acts are played, each time with identities of their own; rounds share a settle. */
  readonly rounds: number;
  readonly acts: readonly Act[];
  /** What is tried, where acts or rounds differ: `4 turns of DATABASE_URL: 8 boundaries`. */
  readonly tries?: string | undefined;
};

/** One named experiment. Ids are part of the public contract. */
export type TrialDefinition = {
  readonly id: string;
  /** What must hold, one sentence. */
  readonly title: string;
  readonly material: MaterialKind;
  /** False: its answers alone can show a fault. */
  readonly needsEffects: boolean;
  readonly availability: (facts: SuiteFacts) => Availability;
  readonly script: (stage: Stage) => Script;
  /** `first-contact`: what is judged is the very first delivery of the run; there is a script only with interception. */
  readonly plays?: 'first-contact' | undefined;
  /** The script needs to know what the receiver says to its dependencies. */
  readonly needsTurns?: boolean | undefined;
  /** It fails when the baseline already showed that distinct events are taken for one. */
  readonly failsWhenDropped?: boolean | undefined;
};
