import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { defineCommand, optionsOf } from '../../../src/commands/define.ts';
import { storedRequest } from '../../../src/commands/stored-request.ts';
import type { WebhookEvent } from '../../../src/model/event.ts';
import { createRedactor } from '../../../src/support/redact.ts';

const redactor = createRedactor();
redactor.register('hush-hush');

function stored(words: readonly string[], selectors: readonly string[] = ['evt_1'], events: readonly string[] = []) {
  const program = new Command().option('--corpus <file>').option('--json').option('--no-color');
  const command = defineCommand(program, 'act', { group: 'judge', summary: '', examples: [] })
    .option('-t, --to <url>')
    .option('--secret <ref>', '', (value: string, before: readonly string[] = []) => [...before, value])
    .option('-H, --header <line>', '', (value: string, before: readonly string[] = []) => [...before, value])
    .option('--rounds <n>', '', Number, 3)
    .option('--event <selector>')
    .option('--seed <n>')
    .option('--ordered')
    .option('--dry-run')
    .action(() => {});
  program.parse(['act', ...words], { from: 'user' });
  const chosen = events.map((id) => ({ id }) as WebhookEvent);
  return storedRequest(selectors, { events: chosen, options: optionsOf(command), context: { redactor } });
}

describe('the words that ask for the same again', () => {
  it('are all flags that were given and shape what is done, in their long form', () => {
    const words = ['-t', '3000', '--rounds', '2', '--ordered', '-H', 'A: b', '-H', 'C: d', '--corpus', 'mine.db'];
    expect(stored(words).flags).toEqual([
      ...['--to', '3000', '--header', 'A: b', '--header', 'C: d', '--rounds', '2', '--ordered', '--corpus', 'mine.db'],
    ]);
  });

  it('leave out defaults, what is stored elsewhere, and what only changes the output', () => {
    expect(stored(['--event', 'a', '--seed', '1', '--dry-run', '--json', '--no-color']).flags).toEqual([]);
  });

  it('name a variable in place of a secret that was given as it is, and hide known ones wherever they stand', () => {
    const words = ['--secret', 'env:A', '--secret', 'whsec_literal', '--header', 'X-Key: hush-hush'];
    expect(stored(words).flags).toEqual([
      ...['--secret', 'env:A', '--secret', 'env:WEBHOOK_REPLAY_SECRET', '--header', 'X-Key: [secret]'],
    ]);
  });

  it('name events by id where the selector means another one tomorrow', () => {
    expect(stored([], ['last:2'], ['a', 'b']).events).toEqual(['a', 'b']);
    expect(stored([], ['@tag'], ['a', 'b']).events).toEqual(['@tag']);
    expect(stored([], ['last', 'evt_1'], ['a', 'b']).events).toEqual(['last', 'evt_1']);
  });
});
