import { describe, expect, it } from 'vitest';
import { parsePattern } from '../../../src/plan/parse-pattern.ts';
import { parseSpeed } from '../../../src/plan/parse-speed.ts';
import { PATTERNS } from '../../../src/plan/patterns.ts';
import { UserError } from '../../../src/support/errors.ts';

function refusal(run: () => unknown): UserError {
  try {
    run();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('parsePattern', () => {
  it('gives the text back without spaces, and the names', () => {
    const { text, names } = parsePattern(' duplicate:3 + out-of-order:shuffle ');
    expect(text).toBe('duplicate:3+out-of-order:shuffle');
    expect(names).toEqual(['duplicate', 'out-of-order']);
  });

  it.each([
    ['duplicat', 'There is no pattern called "duplicat".', 'Did you mean "duplicate"?'],
    ['out-of-oder:swap', 'There is no pattern called "out-of-oder".', 'Did you mean "out-of-order"?'],
    ['Burst', 'There is no pattern called "Burst".', 'Did you mean "burst"?'],
    ['chaos', 'There is no pattern called "chaos".', 'Choose one of: once, duplicate, concurrent,'],
    ['', '"" is not a pattern', 'Choose one of'],
    ['duplicate+', '"duplicate+" is not a pattern', 'Choose one of'],
    [
      'duplicate:0',
      '"0" is not a number of copies for the pattern "duplicate".',
      'from 2 to 1000; without one it is 2',
    ],
    ['duplicate:1', '"1" is not a number of copies', 'duplicate:3'],
    ['duplicate:two', '"two" is not a number of copies', 'duplicate:3'],
    ['duplicate:2.5', '"2.5" is not a number of copies', 'duplicate:3'],
    ['duplicate:', '"" is not a number of copies', 'duplicate:3'],
    ['concurrent:1001', '"1001" is not a number of copies', 'from 2 to 1000'],
    ['burst:0', '"0" is not a number of retries', 'burst:3'],
    ['burst:99999999999999999999', 'is not a number of retries', 'from 1 to 10000'],
    [
      'out-of-order:shufle',
      '"shufle" is not an order for the pattern "out-of-order". Did you mean "shuffle"?',
      'out-of-order:swap',
    ],
    ['out-of-order:7', '"7" is not an order', 'out-of-order:reverse'],
    ['delay', 'The pattern "delay" needs to know how long.', 'delay:2s'],
    ['delay:', 'The pattern "delay" needs to know how long.', 'delay:2s'],
    ['delay:2', '"2" is not a duration', 'Add a unit'],
    ['delay:2s..1s', '"2s..1s" ends before it begins', 'delay:100ms..2s'],
    ['delay:1s..', '"" is not a duration', 'Write it like'],
    ['delay:1s..2s..3s', '"1s..2s..3s" has more than two ends', 'delay:2s'],
    ['retry:3', 'The pattern "retry" takes no argument, but it was given "3".', 'Write it like retry.'],
    ['once:1', 'The pattern "once" takes no argument', 'Write it like once.'],
  ])('refuses "%s" and says what would be right', (text, message, hint) => {
    const error = refusal(() => parsePattern(text));
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
    expect(error.exitCode).toBe(2);
  });

  it.each([
    ['duplicate+concurrent', 'both decide how often an event arrives'],
    ['concurrent+burst', 'both decide how often an event arrives'],
    ['duplicate+out-of-order+duplicate:3', 'both decide how often an event arrives'],
    ['out-of-order+out-of-order:swap', 'both decide the order'],
    ['delay:1s+delay:2s', 'both decide the pauses'],
    ['retry+retry', 'both decide the retries'],
    ['once+duplicate', '"once" means every event once and nothing else'],
    ['duplicate+once', '"once" means every event once and nothing else'],
    ['retry+burst', 'a burst sends every retry whatever is answered'],
    ['burst+retry', 'a burst sends every retry whatever is answered'],
    ['delay:1s+burst', "a burst takes its times from the provider's own retry delays"],
  ])('refuses the pair %s and says why', (text, reason) => {
    const error = refusal(() => parsePattern(text));
    expect(error.message).toContain(`cannot be combined: `);
    expect(error.message).toContain(reason);
    expect(error.code).toBe('SENSELESS_PATTERN');
  });

  it.each([
    'duplicate+out-of-order',
    'duplicate+delay:1s',
    'concurrent+retry',
    'burst+out-of-order',
    'out-of-order+delay:1s+retry',
  ])('takes %s', (text) => {
    expect(parsePattern(text).changes).toHaveLength(text.split('+').length);
  });
});

describe('PATTERNS', () => {
  it('have names that are unlike each other and begin their usage', () => {
    expect(new Set(PATTERNS.map(({ name }) => name)).size).toBe(PATTERNS.length);
    for (const { name, usage, summary } of PATTERNS) {
      expect(usage.startsWith(name)).toBe(true);
      expect(summary.length).toBeGreaterThan(20);
    }
  });
});

describe('parseSpeed', () => {
  it.each([
    ['3600x', 3600],
    ['60', 60],
    ['0.5x', 0.5],
    ['1X', 1],
  ])('reads %s', (text, speed) => {
    expect(parseSpeed(text)).toBe(speed);
  });

  it.each(['', 'x', '0x', '0', '-1x', 'fast', '10 x', '1e3', 'Infinity'])('refuses "%s"', (text) => {
    expect(refusal(() => parseSpeed(text)).message).toContain(`"${text}" is not a speed`);
  });
});
