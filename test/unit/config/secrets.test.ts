import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSecret } from '../../../src/config/secrets.ts';
import { createRedactor } from '../../../src/support/redact.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const cwd = tempFolder();

function sources(env: Record<string, string> = {}) {
  return { env: { PATH: process.env['PATH'], ...env }, cwd, redactor: createRedactor() };
}

describe('readSecret', () => {
  it('reads the environment and names the secret by its reference', async () => {
    expect(await readSecret('env:S', sources({ S: 'abcd' }))).toEqual({
      name: 'env:S',
      value: 'abcd',
      fingerprint: '88d4266f',
    });
  });

  it.each([
    ['with a line break at its end', 'abcd\n', 'abcd'],
    ['with a CRLF at its end', 'abcd\r\n', 'abcd'],
    ['with blanks and two line breaks, of which one goes', ' a b \n\n', ' a b \n'],
  ])('reads a file %s', async (_name, content, value) => {
    writeFileSync(join(cwd, 'secret'), content);
    expect(await readSecret('file:secret', sources())).toMatchObject({ name: 'file:secret', value });
  });

  it('takes the first line a command prints, and runs it in the working folder with the environment', async () => {
    writeFileSync(join(cwd, 'vault'), 'first\nsecond\n');
    expect(await readSecret('cmd:cat vault', sources())).toMatchObject({ name: 'cmd:cat vault', value: 'first' });
    expect(await readSecret('cmd:echo "$KEPT"', sources({ KEPT: 'x:y' }))).toMatchObject({ value: 'x:y' });
  });

  it('takes anything else as it stands', async () => {
    expect(await readSecret('whsec_a:b', sources())).toMatchObject({ name: 'literal', value: 'whsec_a:b' });
  });

  it('teaches the redactor what it has read', async () => {
    const all = sources({ S: 'whsec_bXkta2V5LWJ5dGVz' });
    await readSecret('env:S', all);
    expect(all.redactor.redact('whsec_bXkta2V5LWJ5dGVz and bXkta2V5LWJ5dGVz')).toBe('[secret] and [secret]');
  });

  it.each([
    ['env:NOT_SET', 'The secret "env:NOT_SET" is not set.'],
    ['env:EMPTY', 'The secret "env:EMPTY" is empty.'],
    ['file:none', 'The secret "file:none" cannot be read'],
    ['file:.', 'The secret "file:." cannot be read'],
    ['cmd:exit 3', 'The secret "cmd:exit 3" ended with 3.'],
    ['cmd:true', 'The secret "cmd:true" is empty.'],
    ['', 'The secret "literal" is empty.'],
  ])('refuses "%s" as wrong usage', async (text, message) => {
    const reading = readSecret(text, sources({ EMPTY: '' }));
    await expect(reading).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(message) });
  });

  it('passes on what a failing command said', async () => {
    const reading = readSecret('cmd:echo locked >&2; exit 1', sources());
    await expect(reading).rejects.toMatchObject({ hint: 'It said: locked' });
  });
});
