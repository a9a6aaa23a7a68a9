import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isNodeSupported } from '../../../src/commands/doctor-setup.ts';

describe('the Node that doctor asks for', () => {
  it.each([
    ['18.20.8', false],
    ['20.18.0', false],
    ['20.18.1', true],
    ['20.20.2', true],
    ['21.7.3', false],
    ['22.13.9', false],
    ['22.14.0', true],
    ['24.0.0', true],
    ['26.1.0', true],
  ])('%s is right: %s', (version, isRight) => {
    expect(isNodeSupported(version)).toBe(isRight);
  });

  it('is the one that package.json asks for', () => {
    const { engines } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(engines.node).toBe('^20.18.1 || >=22.14.0');
  });
});
