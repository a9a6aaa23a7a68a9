import { describe, expect, it } from 'vitest';
import { findProvider, PROVIDERS } from '../../../src/providers/list.ts';
import { isFinal, retryPlanOf } from '../../../src/providers/retry-plan.ts';

describe('retryPlanOf', () => {
  it('takes the facts of a provider that publishes them', () => {
    expect(retryPlanOf(findProvider('svix'))).toEqual({
      delaysMs: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000],
      timeoutMs: 15_000,
      assumed: [],
      automatic: true,
    });
  });

  it('assumes what a provider does not publish, and says so', () => {
    expect(retryPlanOf(findProvider('stripe'))).toEqual({
      delaysMs: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000],
      timeoutMs: 10_000,
      assumed: ['timeout', 'delays'],
      automatic: true,
    });
  });

  it('keeps a known number of attempts when only the waits are assumed', () => {
    const plan = retryPlanOf(findProvider('shopify'));
    expect(plan.delaysMs).toHaveLength(8);
    expect(plan).toMatchObject({ timeoutMs: 5_000, assumed: ['delays'] });
  });

  it('says that GitHub never retries by itself', () => {
    expect(retryPlanOf(findProvider('github'))).toMatchObject({ automatic: false, timeoutMs: 10_000 });
  });

  it.each(PROVIDERS.map(({ id }) => id))('waits a positive time before each retry of %s', (id) => {
    const { delaysMs, timeoutMs } = retryPlanOf(findProvider(id));
    expect(delaysMs.length).toBeGreaterThan(0);
    expect(Math.min(...delaysMs, timeoutMs)).toBeGreaterThan(0);
  });
});

describe('isFinal', () => {
  it.each([
    ['stripe', 204, true],
    ['stripe', 302, false],
    ['stripe', 410, false],
    ['standard-webhooks', 410, true],
    ['standard-webhooks', 503, false],
  ] as const)('of %s for %i is %s', (id, status, final) => {
    expect(isFinal(findProvider(id), status)).toBe(final);
  });
});

describe('findProvider', () => {
  it('does not mind the case', () => {
    expect(findProvider('Stripe').id).toBe('stripe');
  });

  it.each([
    ['strip', 'Did you mean "stripe"?'],
    ['paypal-ipn', 'Choose one of: stripe, github, shopify, svix, standard-webhooks, generic-hmac, generic.'],
  ])('says what there is instead of "%s"', (id, hint) => {
    expect(() => findProvider(id)).toThrow(expect.objectContaining({ code: 'UNKNOWN_PROVIDER', exitCode: 2, hint }));
  });
});
