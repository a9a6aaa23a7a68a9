import { createHash } from 'node:crypto';
import type { Evidence, RoundEvidence, Stretch } from '../../../src/judge/evidence.ts';
import type { Attempt, Outcome } from '../../../src/model/attempt.ts';
import type { Cell, Effect } from '../../../src/model/effect.ts';
import type { Delivery, Plan } from '../../../src/model/plan.ts';

/** One delivery of all events under ids of their own. */
export type Round = {
  readonly name: string;
  /** 0 for the first baseline, 1 for the second, then the trial's rounds. */
  readonly index: number;
  /** The fresh id that stands for a captured one. */
  readonly id: (captured: string) => string;
  /** The wall clock when the round's effects happened. */
  readonly nowMs: number;
  /** The next number of a table's sequence. */
  readonly next: (table: string) => number;
  /** Something that is different each time. */
  readonly token: () => string;
  /** What the ledger may hold of the event. */
  readonly hash: (event: string) => string;
};

export type Effects = readonly Effect[];

export type Story = {
  /** Captured event ids, in order; default one, `evt_1`. */
  readonly events?: readonly string[];
  readonly payloads?: readonly string[];
  readonly plan?: Partial<Plan>;
  /** How often each event is delivered in a round of the trial; default 2, one after the other. */
  readonly copies?: number;
  readonly as?: Delivery['as'];
  /** What a round does when each event is delivered once, in order. */
  readonly once: (round: Round) => Effects;
  /** What a round of the trial does; default the same. */
  readonly trial?: (round: Round) => Effects;
  /** Rows that all rounds of a stretch share, from the state that the stretches before left. */
  readonly shared?: (rounds: number, stretch: 'baseline' | 'trial', fromMs: number) => Effects;
  readonly rounds?: number;
  /** Each round in a stretch of its own. */
  readonly apart?: boolean;
  readonly attempts?: (round: Round) => readonly Attempt[];
  readonly quiet?: boolean;
  /** From one stretch's beginning to the next one's; default 300 ms, so that both baselines lie in one second. */
  readonly paceMs?: number;
  readonly startMs?: number;
};

const START_MS = Date.UTC(2026, 2, 1, 10, 0, 0, 100);

export function tell(story: Story): Evidence {
  const { events = ['evt_1'], rounds = 1, apart = false, payloads = [`{"id":"${events[0]}"}`] } = story;
  const teller = narrator(story, events);
  const baselines = [teller.stretch('baseline', ['baseline-1']), teller.stretch('baseline', ['baseline-2'])] as const;
  const names = Array.from({ length: rounds }, (_, index) => `round-${index + 1}`);
  const trial = apart ? names.map((name) => teller.stretch('trial', [name])) : [teller.stretch('trial', names)];
  return { plan: planOf(story, events), baselines, trial, payloads };
}

function narrator(story: Story, events: readonly string[]) {
  const sequences = new Map<string, number>();
  let index = 0;
  let fromMs = story.startMs ?? START_MS;
  const next = (table: string) => {
    sequences.set(table, (sequences.get(table) ?? 0) + 1);
    return sequences.get(table) as number;
  };
  const roundOf = (name: string): Round => {
    const here = index++;
    return {
      name,
      index: here,
      id: (captured) => freshId(captured, name),
      nowMs: fromMs + 20,
      next,
      token: () =>
        createHash('md5')
          .update(`${name} ${next('tokens')}`)
          .digest('hex'),
      hash: (event) => hashOf(freshId(event, name)),
    };
  };
  const stretch = (kind: 'baseline' | 'trial', names: readonly string[]): Stretch => {
    const rounds = names.map(roundOf);
    const does = kind === 'trial' ? (story.trial ?? story.once) : story.once;
    const effects = [...rounds.flatMap(does), ...(story.shared?.(names.length, kind, fromMs) ?? [])];
    const copies = kind === 'trial' ? (story.copies ?? 2) : 1;
    const attempts = rounds.flatMap((round) =>
      kind === 'trial' && story.attempts ? story.attempts(round) : oneAfterTheOther(round, events, copies),
    );
    const told = {
      rounds: names.map((name) => roundEvidence(name, events)),
      effects,
      attempts,
      quiet: kind === 'baseline' ? true : (story.quiet ?? true),
      fromEpochMs: fromMs,
      toEpochMs: fromMs + 100 * names.length,
    };
    // The trial begins later, so that a clock in seconds shows another one.
    fromMs += index === 1 ? (story.paceMs ?? 300) : Math.max(5000, story.paceMs ?? 0);
    return told;
  };
  return { stretch };
}

function planOf({ copies = 2, as = 'same', plan }: Story, events: readonly string[]): Plan {
  const steps = events.flatMap((event) =>
    Array.from({ length: copies }, (_, index) => ({
      id: `${event}#${index + 1}`,
      start: { kind: 'at', atMs: 0 } as const,
      delivery: { event: oursOf(event), copy: index + 1, as, repeat: { kind: 'once' } as const },
    })),
  );
  return { pattern: 'duplicate', seed: 1, steps, reorders: false, concurrency: 1, ...plan };
}

/** Ids get a suffix of letters, numbers another head of the same length; both also within a longer text. */
function freshId(captured: string, round: string): string {
  const number = 1 + [...round].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 8999, 7);
  if (/^\d+$/.test(captured)) return String(number + 1000) + captured.slice(4);
  return `${captured}_${round.replace(/\W/g, '')}`;
}

const CAPTURED = ['evt_1', 'evt_2', 'evt_3', 'del_1', 'order_1', 'order_2', 'cus_1', '100200300400'];

function roundEvidence(name: string, events: readonly string[]): RoundEvidence {
  const pairs = [...new Set([...CAPTURED, ...events])].map((id) => [freshId(id, name), id] as const);
  const back = new Map(pairs);
  const any = new RegExp(`(?<![A-Za-z0-9_])(?:${[...back.keys()].join('|')})(?![A-Za-z0-9_])`, 'g');
  return {
    round: name,
    toOriginal: (text) => text.replace(any, (fresh) => back.get(fresh) ?? fresh),
    events: events.map((event) => {
      const fresh = freshId(event, name);
      return {
        id: oursOf(event),
        label: event,
        resource: 'order_1',
        marks: [fresh, freshId('del_1', name), hashOf(fresh)],
      };
    }),
  };
}

/** The event's id in the plan is ours, what people see is the provider's. */
function oursOf(event: string): string {
  return `ours-${event}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

type Cells = Readonly<Record<string, Cell>>;

/** `shop:orders` is the table `orders` of the source `shop`; a bare name is both. */
function place(table: string) {
  const [effect = '', collection = effect] = table.split(':');
  return { effect, collection };
}

export function added(table: string, key: string | number, cells: Cells): Effect {
  return { ...place(table), kind: 'added', key: String(key), before: null, after: cells };
}

export function removed(table: string, key: string | number, cells: Cells): Effect {
  return { ...place(table), kind: 'removed', key: String(key), before: cells, after: null };
}

export function changed(table: string, key: string | number, [before, after]: readonly [Cells, Cells]): Effect {
  return { ...place(table), kind: 'changed', key: String(key), before, after };
}

/** A row with a generated number. */
export function inserted(round: Round, table: string, cells: Cells): Effect {
  const id = round.next(table);
  return added(table, id, { id, ...cells });
}

let numbers = 0;

export type Exchange = {
  readonly event?: string;
  readonly copy?: number;
  readonly attempt?: number;
  /** Milliseconds: sent, done. */
  readonly at?: readonly [number, number];
  /** A status, or why there was none. */
  readonly answer?: number | Extract<Outcome, { kind: 'no-response' }>['reason'];
};

export function attempt(round: Pick<Round, 'name'>, exchange: Exchange = {}): Attempt {
  const { event = 'evt_1', copy = 1, at = [0, 10], answer = 200 } = exchange;
  const outcome: Outcome =
    typeof answer === 'number'
      ? { kind: 'response', status: answer, headers: [], body: new Uint8Array() }
      : { kind: 'no-response', reason: answer, detail: `it was ${answer}` };
  return {
    number: ++numbers,
    step: `${event}#${copy}`,
    event: oursOf(event),
    round: round.name,
    copy,
    attempt: exchange.attempt ?? 1,
    times: { plannedMs: at[0], sentMs: at[0], doneMs: at[1] },
    outcome,
  };
}

function oneAfterTheOther(round: Round, events: readonly string[], copies: number): readonly Attempt[] {
  return events.flatMap((event, place) =>
    Array.from({ length: copies }, (_, index) => {
      const sentMs = 100 * (place * copies + index);
      return attempt(round, { event, copy: index + 1, at: [sentMs, sentMs + 44] });
    }),
  );
}

export function together(round: Round, answers: ReadonlyArray<NonNullable<Exchange['answer']>> = [200, 200]) {
  return answers.map((answer, index) => attempt(round, { copy: index + 1, at: [index * 0.1, 44], answer }));
}

/** `2026-03-01 10:00:00` */
export function sqlTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
