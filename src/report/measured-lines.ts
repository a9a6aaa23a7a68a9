import type { Trial } from '../model/run.ts';
import { wrapped } from './layout.ts';
import type { Style } from './style.ts';

/** How often, how close together and how punctually it was sent. */
export function measuredLines(
  { rounds, tried, hits, verdict, spreadMicros, scheduleErrorMs }: Trial,
  style: Style,
): readonly string[] {
  const lines: string[] = tried === undefined ? [] : [tried];
  if (rounds > 1) lines.push(verdict === 'fail' ? `${hits} of ${rounds} rounds broke` : noneOf(rounds));
  if (spreadMicros) lines.push(`released within ${spreadMicros.p50} us (median), ${spreadMicros.max} us (most)`);
  if (scheduleErrorMs) {
    const [p50, p99, max] = [scheduleErrorMs.p50, scheduleErrorMs.p99, scheduleErrorMs.max].map((ms) => ms.toFixed(1));
    lines.push(`sent against planned: ${p50} ms (median), ${p99} ms (99 %), ${max} ms (most)`);
  }
  return lines.flatMap((line) => wrapped(line, 2, style));
}

/** The rule of three: at 95 % confidence. */
function noneOf(rounds: number): string {
  return `0 of ${rounds} rounds broke, which bounds the chance of a break to ${((3 / rounds) * 100).toFixed(0)} % a round`;
}
