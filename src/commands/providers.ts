import type { Command } from 'commander';
import type { Context, GlobalOptions } from './context.ts';
import { defineCommand, optionsOf } from './define.ts';

export function registerProviders(program: Command, context: Context): void {
  defineCommand(program, 'providers', {
    group: 'knowledge',
    summary: 'What is known about senders: ids, signature, retries.',
    examples: ['providers', 'providers stripe', 'providers svix --json'],
  })
    .argument('[name]', 'all facts about this one')
    .action(async (name: string | undefined, _options, command: Command) => {
      await providers(name, optionsOf<object>(command), context);
    });
}

async function providers(name: string | undefined, { json }: GlobalOptions, { out }: Context): Promise<void> {
  const { PROVIDERS, findProvider } = await import('../providers/list.ts');
  const { retryPlanOf } = await import('../providers/retry-plan.ts');
  const { describeProvider, listProviders } = await import('./provider-texts.ts');
  const provider = name === undefined ? undefined : findProvider(name);
  if (!json) return out.write(provider ? describeProvider(provider) : listProviders(PROVIDERS));
  const document = provider
    ? { schema: 'webhook-replay/provider/1', ...provider, retryPlan: retryPlanOf(provider) }
    : {
        schema: 'webhook-replay/providers/1',
        providers: PROVIDERS.map(({ id, name, docsUrl }) => ({ id, name, docsUrl })),
      };
  out.json(document);
}
