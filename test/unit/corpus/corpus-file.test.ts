import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { corpusFile } from '../../../src/corpus/corpus-file.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const root = tempFolder();
const deep = join(root, 'project', 'src', 'deep');
mkdirSync(deep, { recursive: true });
writeFileSync(join(root, 'project', 'package.json'), '{}');

describe('corpusFile', () => {
  it('is in the nearest project folder', () => {
    expect(corpusFile({ cwd: deep, env: {} })).toBe(join(root, 'project', '.webhook-replay', 'corpus.db'));
  });

  it.each(['.git', '.webhook-replay'])('takes a folder with %s for a project', (mark) => {
    const folder = join(root, `with${mark}`);
    mkdirSync(join(folder, mark, '..', 'inner'), { recursive: true });
    mkdirSync(join(folder, mark), { recursive: true });
    expect(corpusFile({ cwd: join(folder, 'inner'), env: {} })).toBe(join(folder, '.webhook-replay', 'corpus.db'));
  });

  it('is in the working folder when there is no project', () => {
    expect(corpusFile({ cwd: root, env: {} })).toBe(join(root, '.webhook-replay', 'corpus.db'));
  });

  it('is what the environment says, and before that what the flag says, from the working folder', () => {
    const env = { WEBHOOK_REPLAY_CORPUS: 'from-env.db' };
    expect(corpusFile({ cwd: deep, env })).toBe(join(deep, 'from-env.db'));
    expect(corpusFile({ cwd: deep, env, flag: '../from-flag.db' })).toBe(join(deep, '..', 'from-flag.db'));
  });
});
