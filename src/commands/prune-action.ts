import type { Corpus, EventFilter } from '../model/corpus.ts';
import { isoTime } from '../support/clock.ts';
import { parseDuration } from '../support/duration.ts';
import { UserError } from '../support/errors.ts';
import { confirm } from './confirm.ts';
import type { Context } from './context.ts';
import type { PruneFlags } from './prune-flags.ts';
import { openCorpusFor, withCorpus } from './wire-corpus.ts';
import { storedEvents } from './wire-events.ts';

const PAGE = 1000;

/** Chooses, asks, removes; says how many. */
export async function prune(selectors: readonly string[], flags: PruneFlags, context: Context): Promise<void> {
  const filter = filterOf(flags, context);
  const isOpen = [flags.olderThan, flags.keep, flags.type, flags.provider, flags.tag].every((one) => one === undefined);
  if (isOpen && selectors.length === 0) {
    throw new UserError('PRUNE_WHAT', 'Nothing says which events to remove.', {
      hint: 'Say --older-than 30d, --keep 1000, --type GLOB, --tag NAME, or name events. For all: --keep 0.',
    });
  }
  await withCorpus(openCorpusFor(context, flags, 'read'), async (corpus) => {
    const named = selectors.length === 0 ? undefined : await storedEvents(selectors, corpus, context);
    const wanted = named && new Set(named.map(({ id }) => id));
    const ids = matchingIds(corpus, filter)
      .filter((id) => wanted?.has(id) ?? true)
      .slice(flags.keep ?? 0);
    const removed = (await mayRemove(ids.length, flags, context)) ? corpus.remove(ids) : 0;
    say({ ids, removed, left: corpus.count({}) }, flags, context);
  });
}

function filterOf({ olderThan, type, provider, tag }: PruneFlags, { clock }: Context): EventFilter {
  const until = olderThan === undefined ? undefined : clock.epochMs() - parseDuration(olderThan, '--older-than');
  return { types: type, providers: provider, tags: tag, until: until === undefined ? undefined : isoTime(until) };
}

/** Newest first. */
function matchingIds(corpus: Corpus, filter: EventFilter): readonly string[] {
  const ids: string[] = [];
  for (let after: string | undefined; ; after = ids.at(-1)) {
    const page = corpus.list(filter, { limit: PAGE, order: 'newest-first', after });
    ids.push(...page.map(({ id }) => id));
    if (page.length < PAGE) return ids;
  }
}

async function mayRemove(count: number, flags: PruneFlags, context: Context): Promise<boolean> {
  if (count === 0 || flags.dryRun) return false;
  if (flags.yes) return true;
  return await confirm({ question: `Remove ${events(count)} for good?`, flag: '--yes' }, flags, context);
}

type Pruned = { readonly ids: readonly string[]; readonly removed: number; readonly left: number };

function say({ ids, removed, left }: Pruned, flags: PruneFlags, { out, err }: Context): void {
  if (flags.json) {
    const document = { schema: 'webhook-replay/prune/1', dryRun: flags.dryRun ?? false, removed, left, events: ids };
    out.json(document);
    return;
  }
  if (flags.dryRun) for (const id of ids) out.write(`${id}\n`);
  if (flags.quiet) return;
  if (flags.dryRun) err.write(`Would remove ${events(ids.length)} of ${left}. Nothing was removed.\n`);
  else err.write(`Removed ${events(removed)}; ${left} left.\n`);
}

function events(count: number): string {
  return count === 1 ? '1 event' : `${count} events`;
}
