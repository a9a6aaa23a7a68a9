import { describe, expect, it } from 'vitest';
import { FIXTURES, findFixture } from '../../../src/fixtures/fixtures.ts';
import type { WebhookEvent } from '../../../src/model/event.ts';
import { isDelivery } from '../../../src/model/plan.ts';
import { CHANGES, changeEvent } from '../../../src/mutate/changes.ts';
import { PROVIDERS } from '../../../src/providers/list.ts';
import { chooseTrials } from '../../../src/suite/choose-trials.ts';
import { materialsOf } from '../../../src/suite/material.ts';
import type { Act, SuiteFacts } from '../../../src/suite/trial-definition.ts';
import { TRIALS } from '../../../src/suite/trials.ts';

const TURN = { dependency: 'DATABASE_URL', opener: 80, bytes: 100 };
const STAGE = { latencyMs: 8, timeoutMs: 10_000, lateMs: 0, turns: [TURN, TURN] };

describe.each(PROVIDERS.map((provider) => [provider.id, provider] as const))('with events of %s', (id, provider) => {
  const events = eventsOf(id);
  const materials = materialsOf(events);
  const facts: SuiteFacts = {
    provider,
    hasSecret: true,
    materials,
    hasProcess: true,
    hasInterception: true,
    canChange: (change) => changeEvent(events[0] as WebhookEvent, change) !== undefined,
  };

  it('the fixtures are material for every trial', () => {
    expect([...materials.keys()].sort()).toEqual(['deletion', 'single', 'updates']);
  });

  it.each(TRIALS.map((trial) => [trial.id, trial] as const))('%s is a script that can be carried out', (_id, trial) => {
    const played = materials.get(trial.material) ?? [];
    const script = trial.script({ events: played, ...STAGE });
    // An issue is opened, renamed and closed: no third version.
    const isTooShort = trial.id === 'order.gap' && played.length < 3;
    expect(trial.availability(facts).kind).toMatch(isTooShort ? /skip/ : /ready|not-applicable/);
    expect(script.acts).not.toHaveLength(0);
    for (const act of script.acts) checkAct(act, played);
  });
});

describe('the list of trials', () => {
  it('has each id once, in the form family.name', () => {
    const ids = TRIALS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^(duplicate|distinct|order|retry|ack|auth)\.[a-z-]+$/);
  });

  it.each([
    [['duplicate.*'], [], 8],
    [['*.concurrent'], [], 2],
    [['auth.*', 'ack.latency'], ['auth.stale'], 5],
    [[], ['duplicate.*'], TRIALS.length - 8],
  ])('only %j without %j are %i', (only, skip, count) => {
    expect(chooseTrials(only, skip)).toHaveLength(count);
  });

  it.each([
    [['duplicate.sequental'], [], /Did you mean "duplicate.sequential"/],
    [[], ['nothing.*'], /--list/],
    [['auth.stale'], ['auth.*'], /--list/],
  ])('only %j without %j is refused with a hint', (only, skip, hint) => {
    expect(() => chooseTrials(only, skip)).toThrow(expect.objectContaining({ hint: expect.stringMatching(hint) }));
  });
});

describe('a gap', () => {
  it('needs three versions', () => {
    const events = eventsOf('generic').slice(0, 3);
    const [gap] = chooseTrials(['order.gap'], []);
    const availabilityOf = (updates: readonly WebhookEvent[]) =>
      gap?.availability({ materials: new Map([['updates', updates]]) } as unknown as SuiteFacts);
    expect(availabilityOf(events)).toEqual({ kind: 'ready' });
    expect(availabilityOf(events.slice(0, 2))).toMatchObject({
      kind: 'skip',
      needs: [expect.stringMatching(/^--event/)],
    });
  });
});

describe('what events are good for', () => {
  const event = (id: string, more: Partial<WebhookEvent>): WebhookEvent => ({
    ...(eventsOf('generic')[0] as WebhookEvent),
    id,
    ...more,
  });
  const of = (...events: readonly WebhookEvent[]) =>
    Object.fromEntries([...materialsOf(events)].map(([kind, played]) => [kind, played.map(({ id }) => id)]));

  it('one event is a single one', () => {
    expect(of(event('a', { resource: 'r1' }))).toEqual({ single: ['a'] });
  });

  it('events of two resources have no order', () => {
    expect(of(event('a', { resource: 'r1' }), event('b', { resource: 'r2' }))).toEqual({ single: ['a'] });
  });

  it('events without a resource have no order', () => {
    expect(of(event('a', { resource: undefined }), event('b', { resource: undefined }))).toEqual({ single: ['a'] });
  });

  it('a resource that is taken away needs two events before that', () => {
    const one = event('a', { resource: 'r1', type: 'order.created' });
    const two = event('b', { resource: 'r1', type: 'order.updated' });
    const end = event('c', { resource: 'r1', type: 'order.cancelled' });
    expect(of(one, end)).toEqual({ single: ['a'] });
    expect(of(one, two, end)).toEqual({ single: ['a'], updates: ['a', 'b'], deletion: ['a', 'b', 'c'] });
  });
});

function eventsOf(provider: string): readonly WebhookEvent[] {
  const fitting = FIXTURES.filter(({ facts, role }) => facts.provider === provider && role !== 'unknown-type');
  const ordered = [
    ...fitting.filter(({ role }) => role === 'single'),
    ...fitting.filter(({ role }) => role === 'sequence'),
  ];
  return ordered.map(({ name }) => ({ ...findFixture(name), id: name }));
}

function checkAct({ steps, identities }: Act, played: readonly WebhookEvent[]): void {
  const ids = steps.map((step) => step.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [index, step] of steps.entries()) {
    if (step.start.kind === 'after') expect(ids.slice(0, index)).toContain(step.start.step);
    if (!isDelivery(step)) continue;
    const { delivery } = step;
    expect(played.map((event) => event.id)).toContain(delivery.event);
    expect(identities).toContain(delivery.identity ?? identities[0]);
    if (delivery.change) expect(CHANGES.map((change) => change.id)).toContain(delivery.change);
  }
  const used = new Set(steps.filter(isDelivery).map(({ delivery }) => delivery.identity ?? identities[0]));
  expect([...used].sort()).toEqual([...identities].sort());
}
