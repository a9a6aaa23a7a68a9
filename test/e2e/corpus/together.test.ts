import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe('several programs at one corpus', () => {
  it('make it together and lose nothing', { timeout: 60_000 }, async () => {
    const cwd = join(tempFolder(), 'project');
    mkdirSync(cwd);
    const names = Array.from({ length: 6 }, (_, at) => `${at}.json`);
    for (const name of names) writeFileSync(join(cwd, name), JSON.stringify({ id: name, type: 'made.together' }));
    const results = await Promise.all(
      names.map((name) => runCli(['import', name, '--corpus', 'new/corpus.db'], { cwd })),
    );
    expect(results.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toEqual(names.map(() => [0, '']));
    const { stdout } = await runCli(['list', '--corpus', 'new/corpus.db', '--json'], { cwd });
    const { events } = JSON.parse(stdout) as { events: { eventId: string }[] };
    expect(events.map(({ eventId }) => eventId).sort()).toEqual(names);
  });
});
