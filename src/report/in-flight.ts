import { plural } from '../support/plural.ts';

const MOST_NAMES = 5;

/** `2 deliveries in flight (evt_1, copy 1; evt_2, copy 1)`. */
export function inFlightText(inFlight: readonly string[]): string {
  const more = inFlight.length > MOST_NAMES ? [`and ${inFlight.length - MOST_NAMES} more`] : [];
  return `${plural(inFlight.length, 'delivery')} in flight (${[...inFlight.slice(0, MOST_NAMES), ...more].join('; ')})`;
}
