import * as z from 'zod';
import { nearest } from '../support/nearest.ts';
import { type JsonNode, nodeAt, type Place } from './json-node.ts';
import type { ConfigShape, OptionShape } from './option-shape.ts';

/** Something wrong in a config file. */
export type ConfigProblem = { readonly place: Place; readonly message: string; readonly hint?: string | undefined };

/** Names and types against what the command line knows, in the order of the file. Whether a text is a right duration or URL is not looked at. */
export function checkConfig(root: JsonNode, shape: ConfigShape): readonly ConfigProblem[] {
  const issues = schemaOf(shape).safeParse(root.value).error?.issues ?? [];
  const problems = issues.flatMap((issue) => problemsOf(issue, { root, shape }));
  return problems.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
}

function schemaOf({ shared, commands }: ConfigShape): z.ZodType {
  const ofCommands = Object.entries(commands).map(([name, options]) => [name, optional(objectOf(options))]);
  return objectOf(shared, {
    $schema: optional(z.string()),
    commands: optional(z.strictObject(Object.fromEntries(ofCommands))),
  });
}

function objectOf(options: readonly OptionShape[], more: z.ZodRawShape = {}): z.ZodType {
  const members = options.map(({ key, kind }) => [key, optional(TYPES[kind])]);
  return z.strictObject({ ...Object.fromEntries(members), ...more });
}

function optional(type: z.ZodType): z.ZodType {
  return z.optional(type);
}

const TYPES: Readonly<Record<OptionShape['kind'], z.ZodType>> = {
  switch: z.boolean(),
  text: z.string(),
  number: z.number(),
  list: z.union([z.string(), z.array(z.string())]),
};

type Checked = { readonly root: JsonNode; readonly shape: ConfigShape };

function problemsOf(issue: z.core.$ZodIssue, { root, shape }: Checked): readonly ConfigProblem[] {
  const node = nodeAt(root, issue.path) ?? root;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      place: node.members?.get(key)?.keyPlace ?? node.place,
      ...unknownKey(key, issue.path, shape),
    }));
  }
  const wrong = node.items?.find(({ value }) => typeof value !== 'string') ?? node;
  return [{ place: wrong.place, message: wrongType(issue.path, wrong.value, shape) }];
}

function unknownKey(key: string, path: readonly PropertyKey[], shape: ConfigShape): Omit<ConfigProblem, 'place'> {
  if (path.length === 1) {
    const meant = nearest(key, Object.keys(shape.commands));
    const hint = meant ? `Did you mean "${meant}"?` : `These can be set: ${Object.keys(shape.commands).join(', ')}.`;
    return { message: `There is no command "${key}" that can be set.`, hint };
  }
  const command = path.length === 2 ? String(path[1]) : undefined;
  const known = optionsAt(path, shape);
  const message = `There is no setting "${key}"${command === undefined ? '' : ` of ${command}`}.`;
  return {
    message,
    hint:
      meantSetting(key, known) ?? otherHome(key, command, shape) ?? 'webhook-replay config show lists the settings.',
  };
}

/** People write the flag itself, or its name with dashes, or its negation. */
function meantSetting(key: string, known: readonly OptionShape[]): string | undefined {
  const negated = known.find(({ flag }) => flag.startsWith('--no-') && camelCase(flag) === camelCase(key));
  if (negated) return `Write "${negated.key}": false.`;
  const meant = nearest(camelCase(key), ['commands', ...known.map((option) => option.key)]);
  return meant && `Did you mean "${meant}"?`;
}

function otherHome(key: string, command: string | undefined, { shared, commands }: ConfigShape): string | undefined {
  if (command !== undefined) {
    return shared.some((option) => option.key === key)
      ? `Set it on the top level; ${command} has no such option.`
      : undefined;
  }
  const homes = Object.keys(commands).filter((name) => commands[name]?.some((option) => option.key === key));
  const [first] = homes;
  return (
    first &&
    `Only ${homes.join(', ')} ${homes.length === 1 ? 'takes' : 'take'} it: write "commands": {"${first}": {"${key}": ...}}.`
  );
}

function camelCase(name: string): string {
  return name.replace(/^-+/, '').replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function wrongType(path: readonly PropertyKey[], value: unknown, shape: ConfigShape): string {
  const name = path.length === 0 ? 'The configuration' : `"${path.join('.')}"`;
  const option = optionsAt(path.slice(0, -1), shape).find(({ key }) => key === path.at(-1));
  return `${name} must be ${option ? expectedOf(option) : expectedAt(path)}, and this is ${typeName(value)}.`;
}

function expectedOf({ kind, usage }: OptionShape): string {
  switch (kind) {
    case 'switch':
      return 'true or false';
    case 'number':
      return 'a number';
    case 'text':
      return `a text (as in ${usage})`;
    case 'list':
      return `a text or a list of texts (as in ${usage})`;
  }
}

function expectedAt(path: readonly PropertyKey[]): string {
  return path[0] === '$schema' ? 'a text' : 'an object';
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return `the text "${value.length > 40 ? `${value.slice(0, 40)}...` : value}"`;
  return `${value}`;
}

function optionsAt(path: readonly PropertyKey[], { shared, commands }: ConfigShape): readonly OptionShape[] {
  return path.length === 0 ? shared : path[0] === 'commands' ? (commands[String(path[1])] ?? []) : [];
}
