import type { Command } from 'commander';
import { collect } from './define.ts';

export type ReporterOption = { readonly reporter?: readonly string[] | undefined };

export function addReporterOption(command: Command): Command {
  return command
    .optionsGroup('The report:')
    .option(
      '--reporter <report>',
      'pretty, json, ndjson, junit, github, markdown; NAME=FILE for a file; repeatable',
      collect,
    );
}

/** True for a reporter that makes standard output JSON, or lines of it. */
export function isJsonReporter(word: string): boolean {
  return /^(?:nd)?json(?:=-)?$/.test(word);
}
