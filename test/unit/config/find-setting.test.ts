import { describe, expect, it } from 'vitest';
import { findSetting, type Sources, variableNames } from '../../../src/config/find-setting.ts';
import type { OptionShape } from '../../../src/config/option-shape.ts';
import { type Found, originText } from '../../../src/config/setting.ts';

const TO: OptionShape = { key: 'to', flag: '--to', usage: '--to <url>', placeholder: 'url', kind: 'text' };
const EFFECT: OptionShape = { key: 'effect', flag: '--effect', usage: '--effect <source>', kind: 'list' };
const TEST = { command: 'test', isShared: true };

/** Every source says which one it is. */
const ALL = {
  env: { WEBHOOK_REPLAY_TEST_TO: 'env of test', WEBHOOK_REPLAY_TO: 'env' },
  envFile: { WEBHOOK_REPLAY_TEST_TO: '.env of test', WEBHOOK_REPLAY_TO: '.env' },
  config: { 'test.to': 'file of test', to: 'file' },
};

describe('what sets an option', () => {
  it.each([
    ['env of test', []],
    ['env', ['env of test']],
    ['.env of test', ['env of test', 'env']],
    ['.env', ['env of test', 'env', '.env of test']],
    ['file of test', ['env of test', 'env', '.env of test', '.env']],
    ['file', ['env of test', 'env', '.env of test', '.env', 'file of test']],
  ])('is %s when %j are not there', (winner, missing) => {
    expect(textOf(findSetting(TO, TEST, sourcesWithout(missing)))).toBe(winner);
  });

  it('is nothing when no source says anything', () => {
    const all = [...Object.values(ALL.env), ...Object.values(ALL.envFile), ...Object.values(ALL.config)];
    expect(findSetting(TO, TEST, sourcesWithout(all))).toBeUndefined();
  });

  it('is only what is said of the command itself where the word means another thing in it', () => {
    const taker = { command: 'test', isShared: false };
    expect(textOf(findSetting(TO, taker, sourcesWithout(['env of test', '.env of test'])))).toBe('file of test');
    expect(findSetting(TO, taker, sourcesWithout(['env of test', '.env of test', 'file of test']))).toBeUndefined();
  });

  it('is never an empty variable', () => {
    const sources = { ...sourcesWithout([]), env: { WEBHOOK_REPLAY_TEST_TO: '', WEBHOOK_REPLAY_TO: '' } };
    expect(textOf(findSetting(TO, TEST, sources))).toBe('.env of test');
  });

  it('is one entry for each line of a variable where it is a list', () => {
    const sources = { ...sourcesWithout([]), env: { WEBHOOK_REPLAY_EFFECT: 'sqlite:a.db\r\nexec:echo a,b\n' } };
    const found = findSetting(EFFECT, TEST, sources);
    expect(found?.values.map(({ value }) => value)).toEqual(['sqlite:a.db', 'exec:echo a,b']);
  });

  it('has its source named', () => {
    const origins = [[], ['env of test', 'env'], ['env of test', 'env', '.env of test', '.env']].map((missing) => {
      const found = findSetting(TO, TEST, sourcesWithout(missing));
      return found && originText(found.origin);
    });
    expect(origins).toEqual(['WEBHOOK_REPLAY_TEST_TO', 'WEBHOOK_REPLAY_TEST_TO in .env', 'c.json:2:3']);
  });
});

describe('the variables of an option', () => {
  it.each([
    ['--settle-max', TEST, ['WEBHOOK_REPLAY_TEST_SETTLE_MAX', 'WEBHOOK_REPLAY_SETTLE_MAX']],
    ['--port', { command: 'capture', isShared: false }, ['WEBHOOK_REPLAY_CAPTURE_PORT']],
    ['--no-color', { isShared: true }, ['WEBHOOK_REPLAY_NO_COLOR']],
  ])('of %s are named after it', (flag, taker, names) => {
    expect(variableNames({ flag }, taker)).toEqual(names);
  });
});

function sourcesWithout(missing: readonly string[]): Sources {
  const config = without(ALL.config, missing);
  return {
    env: without(ALL.env, missing),
    envFile: { variables: without(ALL.envFile, missing), shown: '.env', folder: '/project' },
    config: {
      get: (key, command) => {
        const value = config[command === undefined ? key : `${command}.${key}`];
        const origin = { kind: 'config', file: 'c.json', line: 2, column: 3 } as const;
        return value === undefined ? undefined : { origin, values: [{ value, where: 'c.json:2:3' }] };
      },
    },
  };
}

function without(values: Readonly<Record<string, string>>, missing: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !missing.includes(value)));
}

function textOf(found: Found | undefined): unknown {
  return found?.values[0]?.value;
}
