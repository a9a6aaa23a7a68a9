import type { Finding } from '../model/finding.ts';
import type { Death } from '../model/receiver-control.ts';

/** A receiver that ends under a delivery takes everything with it that it was working on. */
export function judgeDeath({ how, lastLines }: Death): Finding {
  return {
    check: 'stays-alive',
    title: `The receiver ${how}, and nobody had stopped it`,
    expected: 'it goes on, whatever is delivered',
    actual: how,
    evidence: lastLines.length > 0 ? lastLines : ['It had printed nothing.'],
    hint: 'Something is thrown that nobody catches; the last lines of its log are above. Answer 4xx to what cannot be read and 5xx to what failed, and handle the errors of connections that break (a pool emits them when no query is open).',
  };
}
