import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeliveryPlan } from '../../../src/model/plan.ts';
import type { PlanEvent } from '../../../src/plan/draft.ts';
import type { PlanRequest } from '../../../src/plan/make-plan.ts';
import { PATTERNS } from '../../../src/plan/patterns.ts';
import { planOf } from './plans.ts';

/** An example of every pattern that needs an argument, and further forms; a pattern not named here is used bare. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  duplicate: ['duplicate', 'duplicate:5'],
  concurrent: ['concurrent', 'concurrent:4'],
  'out-of-order': ['out-of-order', 'out-of-order:shuffle', 'out-of-order:swap', 'duplicate+out-of-order:shuffle'],
  delay: ['delay:2s', 'delay:100ms..3s', 'duplicate:3+delay:1ms..1s', 'delay:1s+duplicate+out-of-order'],
  burst: ['burst:6'],
  retry: ['retry', 'concurrent+retry', 'duplicate+delay:5ms+out-of-order:swap+retry'],
};

const chosenEvents = fc
  .array(fc.option(fc.constantFrom('r1', 'r2', 'r3'), { nil: undefined }), { minLength: 2, maxLength: 12 })
  .map((resources) => resources.map((resource, index): PlanEvent => ({ id: `e${index}`, provider: 'p', resource })));

const forms = PATTERNS.flatMap(({ name }) => (FORMS[name] ?? [name]).map((form) => [form] as const));

describe.each(forms)('%s', (pattern) => {
  const forAll = (check: (plan: DeliveryPlan, events: readonly PlanEvent[], more: Partial<PlanRequest>) => void) => {
    fc.assert(
      fc.property(chosenEvents, fc.nat(), fc.boolean(), (events, seed, wanted) => {
        const ordered = wanted && !pattern.includes('burst');
        check(planOf('', pattern, { events, seed, ordered }), events, { events, seed, ordered });
      }),
    );
  };

  it('gives the same plan for the same seed, byte for byte', () => {
    forAll((plan, _, request) => {
      expect(JSON.stringify(planOf('', pattern, request))).toBe(JSON.stringify(plan));
    });
  });

  it('survives JSON', () => {
    forAll((plan) => {
      expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
    });
  });

  it('delivers every event, with copies numbered from 1 in sending order', () => {
    forAll((plan, events) => {
      for (const { id } of events) {
        const copies = plan.steps.filter((step) => step.delivery.event === id).map((step) => step.delivery.copy);
        expect(copies.length).toBeGreaterThan(0);
        expect(copies).toEqual(copies.map((_, index) => index + 1));
      }
    });
  });

  it('numbers steps in order and lets each follow only an earlier one', () => {
    forAll(({ steps }) => {
      expect(steps.map(({ id }) => id)).toEqual(steps.map((_, index) => `s${index + 1}`));
      for (const [index, { start }] of steps.entries()) {
        if (start.kind === 'after') expect(Number(start.step.slice(1))).toBeLessThan(index + 1);
      }
    });
  });

  it('sends every first delivery before its copies, and groups in one piece', () => {
    forAll(({ steps }) => {
      for (const group of new Set(steps.flatMap(({ delivery }) => delivery.group ?? []))) {
        const members = steps.filter(({ delivery }) => delivery.group === group);
        const first = steps.indexOf(members[0] as (typeof steps)[number]);
        expect(steps.slice(first, first + members.length)).toEqual(members);
        expect(new Set(members.map(({ start }) => JSON.stringify(start))).size).toBe(1);
      }
    });
  });

  it('keeps the order within each resource unless it says that it reorders', () => {
    forAll((plan, events) => {
      if (plan.reorders) return;
      for (const resource of ['r1', 'r2', 'r3']) {
        const ids = events.filter((event) => event.resource === resource).map(({ id }) => id);
        const sent = plan.steps.map(({ delivery }) => delivery.event).filter((id) => ids.includes(id));
        expect(sent).toEqual(ids.flatMap((id) => sent.filter((other) => other === id)));
      }
    });
  });
});

describe('out-of-order:shuffle', () => {
  it('never leaves a resource with two events in its order, nor all events in theirs', () => {
    fc.assert(
      fc.property(chosenEvents, fc.nat(), (events, seed) => {
        const sent = planOf('', 'out-of-order:shuffle', { events, seed }).steps.map(({ delivery }) => delivery.event);
        expect(sent).not.toEqual(events.map(({ id }) => id));
        for (const resource of ['r1', 'r2', 'r3']) {
          const ids = events.filter((event) => event.resource === resource).map(({ id }) => id);
          if (ids.length > 1) expect(sent.filter((id) => ids.includes(id))).not.toEqual(ids);
        }
      }),
    );
  });

  it('differs from seed to seed', () => {
    const orders = Array.from({ length: 20 }, (_, seed) =>
      planOf('a1 a2 a3 a4 a5', 'out-of-order:shuffle', { seed })
        .steps.map(({ delivery }) => delivery.event)
        .join(),
    );
    expect(new Set(orders).size).toBeGreaterThan(10);
  });
});
