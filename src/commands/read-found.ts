import type { OptionShape } from '../config/option-shape.ts';
import type { Problem } from '../config/problem.ts';
import { isReference } from '../config/secrets.ts';
import type { Found } from '../config/setting.ts';
import { UserError } from '../support/errors.ts';
import type { Context } from './context.ts';
import { type Ground, ruleOf } from './value-rules.ts';

export type Read<T> = { readonly value: T; readonly problems: readonly Problem[] };

/** From what a file or a variable holds to what the command gets: checked as the flag's own value is, paths meant from the working folder. */
export async function readFound(found: Found, shape: OptionShape, { cwd, clock }: Context): Promise<Read<unknown>> {
  const ground: Ground = { cwd, folder: found.folder ?? cwd, nowMs: clock.epochMs() };
  const values: unknown[] = [];
  const problems: Problem[] = [];
  for (const { value, where } of found.values) {
    try {
      if (found.origin.kind === 'config') refuseSecret(value, shape);
      values.push(await readValue(value, shape, ground));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      problems.push({ where, message: error.message, hint: error.hint });
    }
  }
  if (shape.kind !== 'list') return { value: values[0], problems };
  return { value: values.length === 0 ? undefined : values, problems };
}

/** Config files are committed, copied and shown; test secrets in them become real ones. */
function refuseSecret(value: unknown, { key }: OptionShape): void {
  if (key !== 'secret' || isReference(String(value))) return;
  throw new UserError(
    'SECRET_IN_CONFIG',
    'A secret stands in the config file itself, which is committed and shown to others.',
    { hint: 'Write where it is kept instead: "env:NAME" (.env is read, too), "file:PATH" or "cmd:COMMAND".' },
  );
}

async function readValue(value: unknown, shape: OptionShape, ground: Ground): Promise<unknown> {
  if (shape.kind === 'switch') return typeof value === 'string' ? readSwitch(value, shape) : value;
  const text = String(value);
  const { check, move } = ruleOf(shape);
  await check?.(text, shape.flag, ground);
  const moved = move ? move(text, ground) : text;
  return shape.read ? shape.read(moved) : moved;
}

const ON = ['1', 'true', 'yes', 'on'];
const OFF = ['0', 'false', 'no', 'off'];

/** `WEBHOOK_REPLAY_NO_COLOR=1` means what `--no-color` does. */
function readSwitch(text: string, { flag }: OptionShape): boolean {
  const word = text.toLowerCase();
  if (!ON.includes(word) && !OFF.includes(word)) {
    throw new UserError('BAD_VALUE', `"${text}" does not fit ${flag}.`, { hint: 'Give 1 or 0, true or false.' });
  }
  return ON.includes(word) !== flag.startsWith('--no-');
}
