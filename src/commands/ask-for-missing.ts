import type { Command } from 'commander';
import { isReference } from '../config/secrets.ts';
import { parseReceiver } from '../deliver/receiver-url.ts';
import { PATTERNS } from '../plan/patterns.ts';
import { UserError } from '../support/errors.ts';
import { foldCommand } from '../support/fold-command.ts';
import { shellQuote } from '../support/shell-quote.ts';
import { ask, canAsk } from './confirm.ts';
import type { Context } from './context.ts';
import { optionsOf } from './define.ts';
import { eventChoices, matching } from './event-choices.ts';
import { isJsonReporter } from './reporter-option.ts';

type Given = {
  readonly event?: readonly string[] | undefined;
  readonly body?: string | undefined;
  readonly to?: string | undefined;
  readonly reporter?: readonly string[] | undefined;
};

/**
 * At a terminal, lets a person choose what `replay` and `send` cannot do without: an event, for `replay` a pattern, and
 * the receiver. Answers become options of the command, and the command line that says the same is printed.
 * @returns the selectors, given or chosen; where nobody can be asked, they stay as they are
 */
export async function askForMissing(
  selectors: readonly string[],
  self: Command,
  context: Context,
): Promise<readonly string[]> {
  const options = optionsOf<Given>(self);
  const lacksEvent = selectors.length === 0 && !options.event && options.body === undefined;
  if (!lacksEvent && options.to !== undefined) return selectors;
  if (!canAsk(options, context) || options.json || options.reporter?.some(isJsonReporter)) return selectors;
  const events = lacksEvent ? [await askForEvent(options, context)] : selectors;
  if (lacksEvent && self.getOptionValueSource('pattern') === 'default')
    answer(self, 'pattern', await askForPattern(context));
  if (options.to === undefined) answer(self, 'to', await askForReceiver(context));
  sayTheSame(events, self, context);
  return events;
}

function answer(command: Command, key: string, value: string): void {
  command.setOptionValueWithSource(key, value, 'cli');
}

async function askForEvent(options: Parameters<typeof eventChoices>[0], context: Context): Promise<string> {
  const choices = await eventChoices(options, context);
  return await ask(context, (prompts, streams) =>
    prompts.search<string>(
      {
        message: 'Which event? Type to search.',
        pageSize: 12,
        source: (term) => matching(choices, term ?? '').map(({ selector, text }) => ({ value: selector, name: text })),
      },
      streams,
    ),
  );
}

function askForPattern(context: Context): Promise<string> {
  return ask(context, (prompts, streams) =>
    prompts.select<string>(
      {
        message: 'How does it arrive?',
        default: 'duplicate',
        choices: PATTERNS.map(({ name, summary }) => ({ value: name, name, description: summary })),
      },
      streams,
    ),
  );
}

function askForReceiver(context: Context): Promise<string> {
  return ask(context, (prompts, streams) =>
    prompts.input(
      { message: 'To which receiver? A port, host:port/path or URL.', required: true, validate: isReceiver },
      streams,
    ),
  );
}

/** What is wrong with an answer is said below it. */
function isReceiver(text: string): true | string {
  try {
    parseReceiver(text);
    return true;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return `${error.message} ${error.hint ?? ''}`.trimEnd();
  }
}

function sayTheSame(events: readonly string[], self: Command, { err }: Context): void {
  const words = ['webhook-replay', self.name(), ...events, ...givenWords(self)];
  const lines = foldCommand(words.map(shellQuote).join(' '), err.columns - 2);
  err.write(`The same without questions:\n${lines.map((line) => `  ${line}\n`).join('')}`);
}

/** Flags of this command line and answers; what settings say, they say again. */
function givenWords(self: Command): readonly string[] {
  const isOnLine = (flag: string) => {
    const option = [...self.options, ...(self.parent?.options ?? [])].find(({ long }) => long === flag);
    return option && self.getOptionValueSourceWithGlobals(option.attributeName()) === 'cli';
  };
  return (optionsOf<object>(self).given ?? []).flatMap(({ flag, value }) => {
    if (!isOnLine(flag)) return [];
    if (value === undefined) return [flag];
    return [flag, flag === '--secret' && !isReference(value) ? 'env:WEBHOOK_REPLAY_SECRET' : value];
  });
}
