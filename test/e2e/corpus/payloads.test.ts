import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonl } from '../../../src/formats/jsonl.ts';
import { parseRawHttp } from '../../../src/formats/raw-http.ts';
import type { RawRequest } from '../../../src/model/event.ts';
import { runCli } from '../../support/cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const payloads = process.env['WEBHOOK_REPLAY_PAYLOADS'];

type Indexed = { readonly file: string; readonly method: string; readonly target: string; readonly bodySha256: string };

describe.skipIf(!payloads)('real requests, through the corpus and out again (needs WEBHOOK_REPLAY_PAYLOADS)', () => {
  const wire = join(payloads ?? '', 'wire');
  const cwd = tempFolder();
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const sketch = ({ method, path, query, headers, payload }: RawRequest) =>
    JSON.stringify([method, query === null ? path : `${path}?${query}`, headers, sha256(payload)]);

  it('keep body, target and every header in order, case and number', { timeout: 60_000 }, async () => {
    const index = JSON.parse(readFileSync(join(wire, 'index.json'), 'utf8')) as readonly Indexed[];
    const files = index.map(({ file }) => join(wire, file));
    const imported = await runCli(['import', ...files, '--json'], { cwd });
    expect(JSON.parse(imported.stdout)).toMatchObject({ new: 66, alreadyThere: 0 });

    const originals = files.map((file) => parseRawHttp(readFileSync(file)));
    for (const [at, { method, target, bodySha256 }] of index.entries()) {
      const [head] = readFileSync(files[at] as string, 'latin1').split('\r\n\r\n', 1);
      const { headers, payload } = originals[at] as RawRequest;
      expect(sha256(payload)).toBe(bodySha256);
      const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
      expect(lines.join('\r\n')).toBe(head);
    }

    await runCli(['export', '--format', 'http', '-o', 'out/'], { cwd });
    const raw = readdirSync(join(cwd, 'out')).map((name) => parseRawHttp(readFileSync(join(cwd, 'out', name))));
    expect(raw.map(sketch).sort()).toEqual(originals.map(sketch).sort());

    const { stdout } = await runCli(['export'], { cwd });
    const lines = jsonl.parse(Buffer.from(stdout), { name: 'export' });
    expect(lines.map(sketch)).toEqual(originals.map(sketch));

    const again = await runCli(['import', ...files, '--json'], { cwd });
    expect(JSON.parse(again.stdout)).toMatchObject({ new: 0, alreadyThere: 66 });
  });
});
