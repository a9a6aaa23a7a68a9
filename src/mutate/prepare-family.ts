import type { WebhookEvent } from '../model/event.ts';
import { UserError } from '../support/errors.ts';
import { createApplier } from './apply-texts.ts';
import { bodySpans } from './body-spans.ts';
import { type Candidate, collectIds, headerSpans } from './collect.ts';
import { createDraws } from './new-texts.ts';
import { createToOriginal, type Renewed } from './original.ts';
import { asSpanPointer, createRoles, isAtOrBelow } from './role.ts';

export type FamilyOptions = {
  readonly seed: number;
  /** Makes ids differ from those of another run with the same seed; 64 bits or more of variety. */
  readonly nonce: string;
  /** Pointers of what must be renewed although it does not look like an id: the place and all below it. */
  readonly fresh: readonly string[];
  /** Pointers of what must stay. The same id stays wherever it is. */
  readonly keep: readonly string[];
};

/** New ids for one round, the same for every event of the family. */
export type Identity = {
  readonly round: string;
  /** Every id of the family, old to new. */
  readonly map: ReadonlyMap<string, string>;
  /** The same event with new ids; every byte that belongs to no id is as it was. */
  readonly apply: (event: WebhookEvent) => WebhookEvent;
  /** Puts the old ids back wherever new ones stand in a text. */
  readonly toOriginal: (text: string) => string;
  /** The pairs that `toOriginal` goes by: `createToOriginal` makes it again from them. */
  readonly renewed: () => readonly Renewed[];
  /** What cannot be renewed, a sentence each. */
  readonly limits: readonly string[];
};

/** Events that are told apart from other rounds' by their ids, and keep their relations among each other. */
export type Family = {
  /** The same round has the same ids. */
  readonly identity: (round: string) => Identity;
  /** Pointers of what is renewed, in the order found. */
  readonly candidates: readonly string[];
  /** What was looked at: renewed, or taken for a mere word. */
  readonly considered: readonly Candidate[];
  readonly limits: readonly string[];
};

/**
 * Reads the ids of a family once; each round then only draws new ones and puts them in.
 * Throws `UserError` for a pointer that matches nothing.
 */
export function prepareFamily(events: readonly WebhookEvent[], options: FamilyOptions): Family {
  refuseBlindPointers(events, options);
  const roles = createRoles({ fresh: options.fresh.map(asSpanPointer), keep: options.keep.map(asSpanPointer) });
  const { registry, candidates, limits } = collectIds(events, roles);
  const draw = createDraws(registry);
  const applier = createApplier(registry, roles.of);
  return {
    candidates: [...new Set(candidates.filter(({ renewed }) => renewed).map(({ pointer }) => pointer))],
    considered: candidates,
    limits,
    identity: (round) => {
      const texts = draw(String(options.seed), options.nonce, round);
      const renewed = () => registry.units.map(({ index, text }) => ({ old: text, renewed: texts[index] ?? '' }));
      let map: ReadonlyMap<string, string> | undefined;
      return {
        round,
        get map() {
          map ??= new Map([...registry.ids].map((id) => [id, applier.id(id, texts)]));
          return map;
        },
        apply: (event) => applier.event(event, texts),
        toOriginal: createToOriginal(renewed),
        renewed,
        limits,
      };
    },
  };
}

function refuseBlindPointers(events: readonly WebhookEvent[], { fresh, keep }: FamilyOptions): void {
  for (const pointer of fresh) if (!isThere(pointer, events)) throw blindPointer('--fresh', pointer);
  for (const pointer of keep) if (!isThere(pointer, events)) throw blindPointer('--keep', pointer);
}

function isThere(pointer: string, events: readonly WebhookEvent[]): boolean {
  const wanted = asSpanPointer(pointer);
  return events.some((event) =>
    [...bodySpans(event), ...headerSpans(event)].some(
      (span) => span && span.kind !== 'key' && span.kind !== 'text' && isAtOrBelow(span.pointer, wanted),
    ),
  );
}

function blindPointer(flag: string, pointer: string): UserError {
  const isPointer = pointer.startsWith('/') || pointer.startsWith('header:');
  return new UserError(
    'POINTER_MATCHES_NOTHING',
    `"${pointer}" matches no text or number in any of the events (${flag}).`,
    {
      hint: isPointer
        ? 'Look at the payload with: webhook-replay show ID. Counting in lists begins at 0, as in /lines/0/id.'
        : `Write it as a JSON pointer, for example /data/object/id, or header:Name.`,
    },
  );
}
