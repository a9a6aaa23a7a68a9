import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from './support/temp-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((file) => ({ file: relative(join(ROOT, 'src'), file), text: readFileSync(file, 'utf8') }));

describe('the shape of src', () => {
  it('is read at all', () => {
    expect(sources.length).toBeGreaterThan(50);
  });

  it.each([
    ['the clock', /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/, /^support\/clock\.ts$|^fixtures\/receivers\//],
    ['chance', /\bMath\.random\(|\brandomBytes\(/, /^support\/random\.ts$|^fixtures\/receivers\//],
    ['fetch', /\bfetch\(/, /^$/],
    ['the end of the process', /\bprocess\.exit\(/, /^main\.ts$/],
  ])('reaches %s through one gate only', (_what, use, gate) => {
    const guilty = sources.filter(({ file, text }) => !gate.test(file) && use.test(withoutComments(text)));
    expect(guilty.map(({ file }) => file)).toEqual([]);
  });

  it('has no file over 300 lines', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 301);
    expect(long.map(({ file }) => file)).toEqual([]);
  });
});

const FORBIDDEN: ReadonlyArray<readonly [what: string, file: string, text: string, rule: string]> = [
  [
    'a stage that imports another stage',
    'plan/a.ts',
    "import { b } from '../judge/b.ts';\nexport const a = b;\n",
    'stages-do-not-know-each-other',
  ],
  [
    'a pure stage that does I/O',
    'mutate/a.ts',
    "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n",
    'pure-stages-do-no-io',
  ],
  [
    'a run that imports an effectful stage',
    'run/a.ts',
    "import { b } from '../deliver/b.ts';\nexport const a = b;\n",
    'run-knows-only-pure-stages',
  ],
];

describe('the folder rule', () => {
  const folder = tempFolder();
  let found = '';

  beforeAll(() => {
    const harmless = ['judge/b.ts', 'deliver/b.ts'].map((file) => [file, 'export const b = 1;\n'] as const);
    for (const [file, text] of [...harmless, ...FORBIDDEN.map(([, file, text]) => [file, text] as const)]) {
      mkdirSync(dirname(join(folder, 'src', file)), { recursive: true });
      writeFileSync(join(folder, 'src', file), text);
    }
    for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json']) cpSync(join(ROOT, name), join(folder, name));
    const depcruise = join(ROOT, 'node_modules', '.bin', 'depcruise');
    const words = ['--config', '.dependency-cruiser.cjs', 'src'];
    found = stripVTControlCharacters(spawnSync(depcruise, words, { cwd: folder, encoding: 'utf8' }).stdout);
  });

  it.each(FORBIDDEN)('refuses %s', (_what, file, _text, rule) => {
    expect(found).toMatch(new RegExp(`${rule}: src/${file}`));
  });

  it('finds nothing else to refuse', () => {
    expect(found).toContain(`${FORBIDDEN.length} dependency violations`);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
