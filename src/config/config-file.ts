import { dirname } from 'node:path';
import { checkConfig } from './check-config.ts';
import { readConfigText } from './find-config.ts';
import { type JsonNode, nodeAt, type Place } from './json-node.ts';
import type { ConfigShape } from './option-shape.ts';
import { JsonSyntaxError, parseJson } from './parse-json.ts';
import { problemsError } from './problem.ts';
import type { Found } from './setting.ts';

/** A config file whose names and types are right. */
export type ConfigFile = {
  /** Absolute. */
  readonly file: string;
  /** What it says on the top level, or of one command. */
  readonly get: (key: string, command?: string) => Found | undefined;
};

/**
 * Reads a config file.
 * @param shown its name in messages
 * @throws UserError with the place of each mistake
 */
export function loadConfig(file: string, shown: string, shape: ConfigShape): ConfigFile {
  const where = ({ line, column }: Place) => `${shown}:${line}:${column}`;
  const root = parsed(readConfigText(file, shown), where);
  const problems = checkConfig(root, shape);
  if (problems.length > 0)
    throw problemsError(problems.map(({ place, ...rest }) => ({ where: where(place), ...rest })));
  return {
    file,
    get: (key, command) => {
      const node = nodeAt(root, command === undefined ? [key] : ['commands', command, key]);
      return node && found(node, { file, shown, where });
    },
  };
}

function parsed(text: string, where: (place: Place) => string): JsonNode {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw problemsError([{ where: where(error.place), message: error.message, hint: 'The file must be JSON.' }]);
  }
}

type From = { readonly file: string; readonly shown: string; readonly where: (place: Place) => string };

function found(node: JsonNode, { file, shown, where }: From): Found {
  const values = (node.items ?? [node]).map(({ value, place }) => ({ value, where: where(place) }));
  return { origin: { kind: 'config', file: shown, ...node.place }, folder: dirname(file), values };
}
