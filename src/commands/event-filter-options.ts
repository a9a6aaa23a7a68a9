import type { Command } from 'commander';
import type { EventFilter } from '../model/corpus.ts';
import { parseTime } from '../support/time-option.ts';
import { collect } from './define.ts';

export type EventFilterOptions = {
  readonly type?: readonly string[] | undefined;
  readonly provider?: readonly string[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
};

export function addEventFilterOptions(command: Command): Command {
  return command
    .optionsGroup('Which events:')
    .option('--type <glob>', 'only events of this type, for example invoice.*; repeatable', collect)
    .option('--provider <glob>', 'only events of this provider; repeatable', collect)
    .option('--tag <glob>', 'only events with this tag; repeatable', collect)
    .option('--since <time>', 'only events received since then: 2h (ago), 2026-01-31, or an ISO-8601 time')
    .option('--until <time>', 'only events received before then');
}

export function eventFilterOf(options: EventFilterOptions, nowMs: number): EventFilter {
  const { type, provider, tag, since, until } = options;
  return {
    types: type,
    providers: provider,
    tags: tag,
    since: since === undefined ? undefined : parseTime(since, '--since', nowMs),
    until: until === undefined ? undefined : parseTime(until, '--until', nowMs),
  };
}
