import type { Command } from 'commander';
import { collect } from './define.ts';
import { REPLAY_DEFAULTS } from './replay-flags.ts';

export function addEventOptions(command: Command): Command {
  return command
    .optionsGroup('Which events:')
    .option('-e, --event <selector>', 'events, as an option instead of a word; repeatable', collect)
    .option('--type <name>', 'the type of an event whose file does not say it')
    .option('--force', 'replay truncated events, too');
}

/** What is observed, when it is final, and who the events are. */
export function addEffectOptions(command: Command): Command {
  return command
    .optionsGroup('Effects:')
    .option(
      '--effect <source>',
      'what to observe, for example sqlite:app.db#orders; repeatable; webhook-replay help effects',
      collect,
    )
    .option('--ignore <glob>', 'bookkeeping that may change: table, table.column, effect#/pointer; repeatable', collect)
    .option('--settle <duration>', 'effects are final when quiet for this long', REPLAY_DEFAULTS.settle)
    .option('--settle-max <duration>', 'and at most after this long', REPLAY_DEFAULTS.settleMax)
    .option('--settle-first <duration>', 'how long the first effect may take', REPLAY_DEFAULTS.settleFirst)
    .optionsGroup('Identities and state:')
    .option('--keep-ids', 'send events with their captured ids also with --effect (needs --reset)')
    .option('--fresh <pointer>', 'a JSON pointer that is an id and must be renewed; repeatable', collect)
    .option('--keep <pointer>', 'a JSON pointer that is no id and must stay; repeatable', collect)
    .option(
      '--setup <command>',
      'creates what the events refer to, before each round; gets {"old id": "new id"} on standard input',
    )
    .option('--reset <command>', "clears the receiver's state before each round; then the captured ids are sent");
}
