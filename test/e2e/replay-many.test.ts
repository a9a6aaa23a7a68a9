import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../support/cli.ts';
import { heldAnswers } from '../support/held-answers.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { HAS_TERMINAL, plain, startInTerminal } from '../support/terminal.ts';

const MANY = 10_000;
const SOME = 1000;

const folder = tempFolder();
const seen = new Set<string>();
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    seen.add((JSON.parse(Buffer.concat(chunks).toString()) as { id: string }).id);
    answer(() => response.end());
  });
});
let to: string;
/** What is done with an answer that is ready. */
let answer = (give: () => void) => give();

beforeAll(async () => {
  for (const [file, count] of [
    ['many.jsonl', MANY],
    ['some.jsonl', SOME],
  ] as const) {
    writeFileSync(join(folder, file), Array.from({ length: count }, (_, index) => line(index)).join(''));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  to = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function line(index: number): string {
  const data = { id: `ord_${index % 500}`, amount: index, note: 'n'.repeat(400) };
  const body = JSON.stringify({ id: `evt_${index}`, type: 'order.paid', created_at: '2026-01-05T10:00:00.000Z', data });
  const event = {
    schema: 'webhook-replay/event/1',
    receivedAt: new Date(1_767_000_000_000 + index * 1000).toISOString(),
    method: 'POST',
    path: '/hooks',
    headers: [['Content-Type', 'application/json']],
    body: { encoding: 'base64', data: Buffer.from(body).toString('base64') },
  };
  return `${JSON.stringify(event)}\n`;
}

describe('ten thousand events', () => {
  it('are all sent by a process with a small heap, and nothing is said but where they go and the result', {
    timeout: 240_000,
  }, async () => {
    const env = { NODE_OPTIONS: '--max-old-space-size=128' };
    const words = ['replay', 'many.jsonl', '--pattern', 'once', '--to', to];
    const { stdout, stderr, code } = await runCli(words, { cwd: folder, env });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^10000 events to http:\S+, pattern once: 10000 deliveries, seed \d+\n$/);
    expect(seen.size).toBe(MANY);
    expect(stdout).toMatch(/PASS {2}once, 10000 events to /);
    expect(stdout).toContain('10000 attempts');
  });

  it.skipIf(!HAS_TERMINAL)(
    'show a line that counts on a terminal (skipped without the program "script")',
    { timeout: 240_000 },
    async () => {
      const words = ['replay', 'some.jsonl', '--pattern', 'once', '--to', to, '--seed', '7'];
      const stages = [250, 500, 750];
      const held = heldAnswers(stages);
      answer = held.answer;
      onTestFinished(() => {
        answer = (give) => give();
      });
      const terminal = startInTerminal(words, { cwd: folder, columns: 120 });
      for (const answered of stages) {
        await terminal.shows(new RegExp(`\\b${answered} of 1000 deliveries`));
        held.release();
      }
      expect(await terminal.exit).toBe(0);
      const screen = plain(terminal.screen());
      expect(screen).toContain(`1000 events to ${to}, pattern once: 1000 deliveries, seed 7`);
      const counts = [...screen.matchAll(/(\d+) of 1000 deliveries/g)].map(([, count]) => Number(count));
      expect(counts).toEqual([...counts].sort((a, b) => a - b));
      expect(screen).not.toContain('attempt 1/1');
      expect(screen).toContain('1000 attempts');
    },
  );
});
