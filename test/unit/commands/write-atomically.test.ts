import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeAtomically } from '../../../src/commands/write-atomically.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();

describe('writeAtomically', () => {
  it('keeps the old file, and nothing beside it, when writing breaks off', () => {
    const file = join(folder, 'a.txt');
    writeFileSync(file, 'old');
    const breaking = function* () {
      yield Buffer.from('new');
      throw new Error('disk is gone');
    };
    expect(() => writeAtomically(file, breaking())).toThrow('disk is gone');
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['a.txt'], 'old']);
    writeAtomically(file, [Buffer.from('n'), Buffer.from('ew')]);
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['a.txt'], 'new']);
  });
});
