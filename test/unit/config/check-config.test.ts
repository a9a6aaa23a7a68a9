import { describe, expect, it } from 'vitest';
import { checkConfig } from '../../../src/config/check-config.ts';
import type { ConfigShape, OptionShape } from '../../../src/config/option-shape.ts';
import { parseJson } from '../../../src/config/parse-json.ts';

const option = (key: string, kind: OptionShape['kind'], flag = `--${key}`): OptionShape => ({
  key,
  kind,
  flag,
  usage: kind === 'switch' ? flag : `${flag} <x>`,
});

const SHAPE: ConfigShape = {
  shared: [
    option('to', 'text'),
    option('settleMax', 'text', '--settle-max'),
    option('seed', 'number'),
    option('effect', 'list'),
    option('color', 'switch', '--no-color'),
  ],
  commands: { test: [option('only', 'list'), option('strict', 'switch')], capture: [option('port', 'number')] },
};

describe('a config file against the options that there are', () => {
  it.each([
    '{}',
    '{"$schema": "https://example.test/schema.json"}',
    '{"to": "3000", "seed": 7, "effect": "sqlite:a.db", "color": false}',
    '{"effect": ["a", "b"], "commands": {"test": {"strict": true, "only": []}, "capture": {}}}',
  ])('accepts %s', (text) => {
    expect(checkConfig(parseJson(text), SHAPE)).toEqual([]);
  });

  it.each([
    ['{"too": 1}', 2, 'There is no setting "too".', 'Did you mean "to"?'],
    ['{"settle-max": "1s"}', 2, 'There is no setting "settle-max".', 'Did you mean "settleMax"?'],
    ['{"noColor": true}', 2, 'There is no setting "noColor".', 'Write "color": false.'],
    [
      '{"port": 1}',
      2,
      'There is no setting "port".',
      'Only capture takes it: write "commands": {"capture": {"port": ...}}.',
    ],
    ['{"zzzzzz": 1}', 2, 'There is no setting "zzzzzz".', 'webhook-replay config show lists the settings.'],
    [
      '{"commands": {"test": {"to": "1"}}}',
      24,
      'There is no setting "to" of test.',
      'Set it on the top level; test has no such option.',
    ],
    ['{"commands": {"test": {"strct": true}}}', 24, 'There is no setting "strct" of test.', 'Did you mean "strict"?'],
    ['{"commands": {"tset": {}}}', 15, 'There is no command "tset" that can be set.', 'Did you mean "test"?'],
    [
      '{"commands": {"zzzzzz": {}}}',
      15,
      'There is no command "zzzzzz" that can be set.',
      'These can be set: test, capture.',
    ],
    ['{"__proto__": {}}', 2, 'There is no setting "__proto__".', 'webhook-replay config show lists the settings.'],
  ])('refuses the name in %s', (text, column, message, hint) => {
    expect(checkConfig(parseJson(text), SHAPE)).toEqual([{ place: { line: 1, column }, message, hint }]);
  });

  it.each([
    ['{"to": 3000}', 8, '"to" must be a text (as in --to <x>), and this is 3000.'],
    ['{"to": null}', 8, '"to" must be a text (as in --to <x>), and this is null.'],
    ['{"seed": "seven"}', 10, '"seed" must be a number, and this is the text "seven".'],
    ['{"color": "no"}', 11, '"color" must be true or false, and this is the text "no".'],
    ['{"effect": ["a", 7]}', 18, '"effect" must be a text or a list of texts (as in --effect <x>), and this is 7.'],
    ['{"effect": {}}', 12, '"effect" must be a text or a list of texts (as in --effect <x>), and this is an object.'],
    ['{"commands": []}', 14, '"commands" must be an object, and this is a list.'],
    ['{"commands": {"test": true}}', 23, '"commands.test" must be an object, and this is true.'],
    ['{"commands": {"test": {"strict": 1}}}', 34, '"commands.test.strict" must be true or false, and this is 1.'],
    ['{"$schema": 1}', 13, '"$schema" must be a text, and this is 1.'],
    ['[]', 1, 'The configuration must be an object, and this is a list.'],
  ])('refuses the type in %s', (text, column, message) => {
    expect(checkConfig(parseJson(text), SHAPE)).toEqual([{ place: { line: 1, column }, message }]);
  });

  it('tells every mistake, in the order of the file', () => {
    const text = '{\n "x1": 1,\n "seed": "a",\n "commands": {"test": {"strict": 0}},\n "zzzz": 1 }';
    expect(checkConfig(parseJson(text), SHAPE).map(({ place }) => place.line)).toEqual([2, 3, 4, 5]);
  });
});
