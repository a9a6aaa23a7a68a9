import type { Command } from 'commander';
import { UserError } from '../support/errors.ts';
import type { Context, GlobalOptions } from './context.ts';
import { collect, defineCommand, optionsOf } from './define.ts';

type TagFlags = GlobalOptions & {
  readonly add?: readonly string[] | undefined;
  readonly remove?: readonly string[] | undefined;
};

export function registerTag(program: Command, context: Context): void {
  defineCommand(program, 'tag', {
    group: 'corpus',
    summary: 'Give events tags, or take tags away; @tag then selects them.',
    examples: [
      'tag last --add bug-42',
      'tag Xt9Kp2 evt_1Nv --add refund --remove new',
      "tag 'type:invoice.*' --add billing",
    ],
  })
    .argument('<events...>', "last, ids, @tag, 'type:GLOB'; webhook-replay help events")
    .option('-a, --add <tag>', 'a tag to give; repeatable', collect)
    .option('-r, --remove <tag>', 'a tag to take away; repeatable', collect)
    .action(async (selectors: readonly string[], _options: unknown, self: Command) => {
      await tagEvents(selectors, optionsOf<TagFlags>(self), context);
    });
}

async function tagEvents(selectors: readonly string[], flags: TagFlags, context: Context): Promise<void> {
  const { checkTags } = await import('./tag-names.ts');
  const { openCorpusFor, withCorpus } = await import('./wire-corpus.ts');
  const { storedEvents } = await import('./wire-events.ts');
  const change = { add: flags.add ?? [], remove: flags.remove ?? [] };
  checkTags([...change.add, ...change.remove]);
  if (change.add.length + change.remove.length === 0) {
    throw new UserError('NO_TAG', 'There is no tag to give or to take away.', {
      hint: 'Name it with --add TAG or --remove TAG.',
    });
  }
  await withCorpus(openCorpusFor(context, flags, 'read'), async (corpus) => {
    const ids = (await storedEvents(selectors, corpus, context)).map(({ id }) => id);
    corpus.tag(ids, change);
    if (flags.json) {
      const events = ids.map((id) => ({ id, tags: corpus.get(id)?.tags ?? [] }));
      context.out.json({ schema: 'webhook-replay/tag/1', events });
    } else if (!flags.quiet) {
      context.err.write(`Tagged ${ids.length} ${ids.length === 1 ? 'event' : 'events'}.\n`);
    }
  });
}
