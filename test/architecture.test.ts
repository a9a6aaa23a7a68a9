import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

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

describe('the folder rule', () => {
  it.each([
    [
      'a stage that imports another stage',
      'plan/a.ts',
      "import { b } from '../judge/b.ts';\nexport const a = b;\n",
      'stages-do-not-know-each-other',
    ],
    [
      'a pure stage that does I/O',
      'plan/a.ts',
      "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n",
      'pure-stages-do-no-io',
    ],
    [
      'a run that imports an effectful stage',
      'run/a.ts',
      "import { b } from '../deliver/b.ts';\nexport const a = b;\n",
      'run-knows-only-pure-stages',
    ],
  ])('refuses %s', (_title, file, text, rule) => {
    const folder = mkdtempSync(join(tmpdir(), 'folder-rule-'));
    try {
      for (const name of ['plan', 'judge', 'run', 'deliver']) mkdirSync(join(folder, 'src', name), { recursive: true });
      for (const name of ['judge', 'deliver'])
        writeFileSync(join(folder, 'src', name, 'b.ts'), 'export const b = 1;\n');
      writeFileSync(join(folder, 'src', file), text);
      for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json']) cpSync(join(ROOT, name), join(folder, name));
      const depcruise = join(ROOT, 'node_modules', '.bin', 'depcruise');
      const { stdout } = spawnSync(depcruise, ['--config', '.dependency-cruiser.cjs', 'src'], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(stdout).toContain(rule);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
