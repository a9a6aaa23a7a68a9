import { relative } from 'node:path';
import type { Command } from 'commander';
import { CONFIG_NAME } from '../config/find-config.ts';
import { applySettings } from './configure.ts';
import type { Context, ExitCode, GlobalOptions } from './context.ts';
import { optionsOf } from './define.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import { type Check, checked, notChecked, ok } from './doctor-check.ts';
import { checkReceiver } from './doctor-receiver.ts';
import { checkCorpus, checkDriver, checkNode } from './doctor-setup.ts';
import { checkEffects, checkSecrets } from './doctor-sources.ts';

type Options = DeliveryOptions & GlobalOptions & { readonly effect?: readonly string[] | undefined };

/** Looks at one thing after the other, and says each as it is known. */
export async function doctor(command: Command, context: Context): Promise<ExitCode> {
  const checks: Check[] = [];
  const config = await checkConfig(command, context);
  const options = optionsOf<Options>(command);
  const say = (...found: readonly Check[]) => {
    checks.push(...found);
    if (!options.json) for (const check of found) context.out.write(lineOf(check, context));
  };
  say(await checkNode(process.versions.node));
  say(await checkDriver());
  say(config);
  say(await checkCorpus(options, context));
  const receiver = await checkReceiver(options, context);
  say(receiver);
  say(...(await checkEffects(options.effect, context)));
  const { checks: found, secrets } = await checkSecrets(options.secret, context);
  say(...found);
  const canProbe = receiver.state === 'ok' && secrets.length > 0 && found.every(({ state }) => state === 'ok');
  say(canProbe ? await probe(options, context) : notChecked('signature', whyNot(receiver, found)));
  if (options.json) context.out.json(asDocument(checks));
  return exitCodeOf(checks);
}

function checkConfig(command: Command, context: Context): Promise<Check> {
  return checked('config', async () => {
    const { configFile } = await applySettings(command, context);
    if (configFile === undefined) return ok('config', `There is no ${CONFIG_NAME}; none is needed.`);
    return ok('config', `"${relative(context.cwd, configFile)}" is right.`);
  });
}

async function probe(options: Options, context: Context): Promise<Check> {
  const { checkSignature } = await import('./doctor-probe.ts');
  return await checkSignature(options, context);
}

function whyNot(receiver: Check, secrets: readonly Check[]): string {
  if (receiver.state === 'problem') return 'The receiver cannot be reached.';
  if (receiver.state === 'not checked') return 'That takes a receiver (--to) and a secret (--secret).';
  return secrets.some(({ state }) => state === 'problem')
    ? 'A secret cannot be read.'
    : 'That takes a secret (--secret).';
}

const WIDTH = 'not checked'.length;
const NAME_WIDTH = 'signature'.length;

function lineOf({ name, state, text, hint }: Check, { out: { paint } }: Context): string {
  const color = { ok: paint.green, problem: paint.red, 'not checked': paint.yellow }[state];
  const indent = ' '.repeat(WIDTH + NAME_WIDTH + 4);
  return `${color(state.padEnd(WIDTH))}  ${name.padEnd(NAME_WIDTH)}  ${text}\n${hint ? `${indent}${hint}\n` : ''}`;
}

function asDocument(checks: readonly Check[]): object {
  return {
    schema: 'webhook-replay/doctor/1',
    ok: exitCodeOf(checks) === 0,
    checks: checks.map(({ name, state, text, hint }) => ({ name, state, text, hint: hint ?? null })),
  };
}

/** What is wrong here comes first: it is in the way of everything else. */
function exitCodeOf(checks: readonly Check[]): ExitCode {
  const codes = checks.flatMap(({ state, exitCode }) => (state === 'problem' ? [exitCode ?? 2] : []));
  if (codes.includes(2)) return 2;
  return codes.includes(3) ? 3 : 0;
}
