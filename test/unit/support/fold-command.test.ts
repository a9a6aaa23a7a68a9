import { expect, it } from 'vitest';
import { foldCommand } from '../../../src/support/fold-command.ts';

const LINE = "webhook-replay replay last --to 3000 -H 'A: b c' --effect sqlite:app.db --seed 7";

it('leaves a line that fits', () => {
  expect(foldCommand(LINE, 200)).toEqual([LINE]);
});

it('breaks before options only, and a shell reads the same words again', () => {
  for (let width = 10; width < 100; width++) {
    const lines = foldCommand(LINE, width);
    expect(lines.join('\n').replace(/ \\\n/g, ' ')).toBe(LINE);
    for (const line of lines.slice(1)) expect(line).toMatch(/^-/);
  }
  for (const line of foldCommand(LINE, 40)) expect(line.length).toBeLessThanOrEqual(40);
});
