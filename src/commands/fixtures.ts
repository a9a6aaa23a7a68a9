import type { Command } from 'commander';
import { bytesAndJson } from './bytes-and-json.ts';
import type { Context, GlobalOptions } from './context.ts';
import { defineCommand, optionsOf } from './define.ts';

type FixturesFlags = GlobalOptions & { readonly raw?: boolean | undefined };

export function registerFixtures(program: Command, context: Context): void {
  defineCommand(program, 'fixtures', {
    group: 'knowledge',
    summary: 'List the sample events, or show one.',
    examples: [
      'fixtures',
      'fixtures stripe/payment_intent.succeeded',
      'fixtures shopify/orders.paid --raw > event.http',
      'fixtures --json',
    ],
  })
    .argument('[name]', 'show this one')
    .option('--raw', 'only the request as it would be on the wire, to the byte')
    .action(async (name: string | undefined, _options, command: Command) => {
      const flags = optionsOf<FixturesFlags>(command);
      if (name === undefined) await listFixtures(flags, context);
      else await showFixture(name, flags, context);
    });
}

async function listFixtures({ json }: FixturesFlags, { out }: Context): Promise<void> {
  const { fixturesAsText, fixturesDocument } = await import('./fixture-texts.ts');
  if (json) out.json(fixturesDocument());
  else out.write(fixturesAsText(out));
}

async function showFixture(name: string, { json, raw }: FixturesFlags, { out }: Context): Promise<void> {
  const { fixtureNamed } = await import('../fixtures/fixtures.ts');
  const { fixtureAsRequest, fixtureAsText, fixtureDocument } = await import('./fixture-texts.ts');
  const fixture = fixtureNamed(name);
  if (json && raw) throw bytesAndJson('--raw');
  if (json) out.jsonLine(fixtureDocument(fixture));
  else if (raw) out.writeBytes(fixtureAsRequest(fixture));
  else out.write(fixtureAsText(fixture, out));
}
