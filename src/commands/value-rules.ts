import { resolve } from 'node:path';
import type { OptionShape } from '../config/option-shape.ts';
import { parseDuration } from '../support/duration.ts';
import { isFile } from '../support/is-file.ts';
import { type Move, moveCommand, moveEffect, movePath, movePathBehind, moveReport, moveSecret } from './move-value.ts';

/** Where a text was written, where the program runs, and when. */
export type Ground = Move & { readonly nowMs: number };

export type ValueRule = {
  /** Throws `UserError` as the flag's own parser does. */
  readonly check?: (text: string, flag: string, ground: Ground) => unknown;
  /** The same text, meant from the working folder. */
  readonly move?: (text: string, move: Move) => string;
};

/** By name and placeholder: `--provider <name>` is one sender, `--provider <glob>` filters. Parsers are loaded when a value needs them. */
export const VALUE_RULES: Readonly<Record<string, ValueRule>> = {
  'to <url>': { check: receiver },
  'forward <url>': { check: receiver },
  'ready <url>': { check: receiver },
  'provider <name>': {
    check: async (text) => (await import('../providers/list.ts')).findProvider(text),
  },
  'effect <source>': {
    check: async (text) => (await import('../observe/sources.ts')).checkSources([text]),
    move: moveEffect,
  },
  'ignore <glob>': {
    check: async (text) => (await import('../judge/ignore.ts')).parseIgnore(text),
  },
  'only <glob>': {
    check: async (text) => (await import('../suite/choose-trials.ts')).chooseTrials([text], []),
  },
  'skip <glob>': {
    check: async (text) => (await import('../suite/choose-trials.ts')).chooseTrials([], [text]),
  },
  'pattern <pattern>': {
    check: async (text) => (await import('../plan/parse-pattern.ts')).parsePattern(text),
  },
  'speed <factor>': {
    check: async (text) => (await import('../plan/parse-speed.ts')).parseSpeed(text),
  },
  'event <selector>': { check: selector, move: moveSelector },
  'header <line>': {
    check: async (text) => (await import('../deliver/header-option.ts')).parseHeaderOption(text),
  },
  'scheme <json>': {
    check: async (text, _flag, { folder }) => (await import('./signature-options.ts')).ownScheme(text, { cwd: folder }),
    move: movePathBehind('@'),
  },
  'since <time>': { check: time },
  'until <time>': { check: time },
  'limit <size>': {
    check: async (text, flag) => (await import('../support/bytes.ts')).parseBytes(text, flag),
  },
  'secret <ref>': { move: moveSecret },
  'body <body>': { move: movePathBehind('@') },
  'body <text>': { move: movePathBehind('@') },
  'db <source>': { move: movePathBehind('sqlite:') },
  'corpus <file>': { move: movePath },
  'cacert <file>': { move: movePath },
  'readyFile <file>': { move: movePath },
  'reporter <report>': {
    check: async (text, _flag, { folder }) =>
      (await import('./choose-reporters.ts')).chooseReporters({ reporter: [text] }, { cwd: folder }),
    move: moveReport,
  },
  'output <target>': { move: (text, move) => (text === '-' ? text : movePath(text, move)) },
  'crashAt <boundary>': {
    check: async (text) => (await import('./boundary-option.ts')).checkBoundary(text),
  },
  'start <command>': { move: moveCommand },
  'setup <command>': { move: moveCommand },
  'reset <command>': { move: moveCommand },
};

export function ruleOf({ key, placeholder }: OptionShape): ValueRule {
  if (placeholder === 'duration') return { check: parseDuration };
  return VALUE_RULES[`${key} <${placeholder}>`] ?? {};
}

async function receiver(text: string): Promise<unknown> {
  return (await import('../deliver/receiver-url.ts')).parseReceiver(text);
}

async function time(text: string, flag: string, { nowMs }: Ground): Promise<unknown> {
  return (await import('../support/time-option.ts')).parseTime(text, flag, nowMs);
}

async function selector(text: string, _flag: string, { folder }: Ground): Promise<unknown> {
  const { parseSelector } = await import('../select/parse-selector.ts');
  return parseSelector(text, (path) => isFile(resolve(folder, path)));
}

function moveSelector(text: string, move: Move): string {
  return isFile(resolve(move.folder, text)) ? movePath(text, move) : text;
}
