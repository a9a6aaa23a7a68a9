/** Words for an event of a home-made sender; what is left out has one fixed value. */
export type OrderWords = {
  readonly event?: string;
  readonly order?: string;
  readonly reference?: string;
  readonly type?: string;
  readonly status?: string;
  readonly amount?: number;
  /** Time of day in UTC, such as `10:00:00`. */
  readonly at?: string;
};

/** The body of an unsigned event about an order. */
export function orderEvent(words: OrderWords = {}): string {
  const { event = 'evt_1', order = 'ord_1', reference = `SO-${order}`, type = 'order.paid', status = 'paid' } = words;
  const { amount = 500, at = '10:00:00' } = words;
  const time = `2026-01-05T${at}.000Z`;
  const data = {
    id: order,
    order_reference: reference,
    status,
    amount,
    currency: 'EUR',
    customer: { email: 'buyer@shop.test' },
    updated_at: time,
  };
  return JSON.stringify({ id: event, type, created_at: time, data });
}
