import { type Attempt, isAcknowledged } from '../model/attempt.ts';
import type { Effect } from '../model/effect.ts';
import type { EventEvidence, Evidence, Stretch } from './evidence.ts';
import { type NormalEffect, textOf } from './normal-form.ts';

const MAX_COLUMNS = 6;
const MAX_TEXT = 60;
const MAX_ATTEMPTS = 6;

/** `orders`, or `shop.orders` where the source has a name of its own. */
export function effectName({ effect, collection }: Pick<NormalEffect, 'effect' | 'collection'>): string {
  return collection === '' || collection === effect ? effect : `${effect}.${collection}`;
}

/** `added orders 17: id=17 reference=A-1 total=100`. */
export function describeRow({ raw }: NormalEffect): string {
  const name = effectName(raw);
  if (raw.kind !== 'changed') return `${raw.kind} ${name} ${raw.key}: ${cellsText(raw.after ?? raw.before ?? {})}`;
  return `changed ${name} ${raw.key}: ${changesText(raw)}`;
}

function cellsText(cells: Readonly<Record<string, Parameters<typeof textOf>[0]>>): string {
  const entries = Object.entries(cells);
  const shown = entries.slice(0, MAX_COLUMNS).map(([column, cell]) => `${column}=${shorten(textOf(cell))}`);
  return [...shown, ...(entries.length > MAX_COLUMNS ? ['...'] : [])].join(' ');
}

function changesText({ before, after }: Effect): string {
  return Object.entries(after ?? {})
    .filter(([column, cell]) => textOf(before?.[column] ?? null) !== textOf(cell))
    .slice(0, MAX_COLUMNS)
    .map(([column, cell]) => `${column} ${shorten(textOf(before?.[column] ?? null))} -> ${shorten(textOf(cell))}`)
    .join(', ');
}

export function shorten(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 3)}...`;
}

/** The event a row tells of: by its ids, else the only one there is. */
export function eventOf(row: NormalEffect, stretch: Stretch): EventEvidence | undefined {
  const events =
    stretch.rounds.find(({ round }) => row.rounds.includes(round))?.events ?? stretch.rounds[0]?.events ?? [];
  if (events.length === 1) return events[0];
  const cells = Object.values(row.raw.after ?? row.raw.before ?? {}).map(textOf);
  const holds = (mark: string) => cells.some((cell) => cell.includes(mark));
  const byMark = events.find(({ marks }) => marks.some(holds));
  if (byMark) return byMark;
  const texts = [...row.cells.values()].map(({ text }) => text);
  const byName = events.filter(({ label, resource }) => texts.some((text) => text === label || text === resource));
  return byName.length === 1 ? byName[0] : undefined;
}

/** The attempts of one event in the round the row belongs to, oldest first, a line each. */
export function attemptLines(row: NormalEffect, stretch: Stretch): readonly string[] {
  const attempts = attemptsBehind(row, stretch);
  const lines = attempts.slice(0, MAX_ATTEMPTS).map(attemptLine);
  return attempts.length > MAX_ATTEMPTS ? [...lines, `... and ${attempts.length - MAX_ATTEMPTS} more`] : lines;
}

export function attemptsBehind(row: NormalEffect, stretch: Stretch): readonly Attempt[] {
  const round = row.rounds[0] ?? stretch.rounds.at(-1)?.round;
  const event = eventOf(row, stretch)?.id;
  return stretch.attempts.filter(
    (attempt) => attempt.round === round && (event === undefined || attempt.event === event),
  );
}

/** `#3 at 0.043 s, copy 2, attempt 1 -> 200 in 44 ms`. */
export function attemptLine({ number, times, copy, attempt, outcome }: Attempt): string {
  const answer = outcome.kind === 'response' ? String(outcome.status) : `no response (${outcome.reason})`;
  const took = Math.max(0, Math.round(times.doneMs - times.sentMs));
  return `#${number} at ${(times.sentMs / 1000).toFixed(3)} s, copy ${copy}, attempt ${attempt} -> ${answer} in ${took} ms`;
}

/** True when two acknowledged attempts were open at the same time. */
export function overlapped(attempts: readonly Attempt[]): boolean {
  const sorted = attempts
    .filter(({ outcome }) => isAcknowledged(outcome))
    .sort((a, b) => a.times.sentMs - b.times.sentMs);
  return sorted.some((attempt, index) => {
    const next = sorted[index + 1];
    return next !== undefined && next.times.sentMs < attempt.times.doneMs;
  });
}

/** How many deliveries of an event the plan holds, for people. */
export function timesDelivered({ plan }: Evidence, event: string | undefined): string {
  const events = new Set(plan.steps.map(({ delivery }) => delivery.event));
  const copies = plan.steps.filter(({ delivery }) => delivery.event === (event ?? [...events][0])).length;
  return copies === 1 ? 'once' : `${copies} times`;
}
