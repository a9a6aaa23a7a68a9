import { expect, it } from 'vitest';
import { secretWords } from '../../../src/support/secret-words.ts';

it.each([
  [['send', '--secret', 'abcd'], {}, ['abcd']],
  [['send', '--secret=abcd', '--secret', 'env:KEY'], { KEY: 'value' }, ['abcd', 'value']],
  [['send', '--secret', 'env:UNSET'], {}, []],
  [['send', '--secret', 'file:x', '--secret', 'cmd:y', '--secret'], {}, []],
  [['send'], { WEBHOOK_REPLAY_SECRET: 'env:KEY', KEY: 'value' }, ['value']],
])('finds in %j the secrets that are known before anything is read', (words, env, secrets) => {
  expect(secretWords(words, env)).toEqual(secrets);
});
