import type { Row, Snapshot } from '../model/effect.ts';
import { ProbeError, UserError } from '../support/errors.ts';
import { parseExactJson } from './exact-json.ts';
import { hideCredentials } from './hide-credentials.ts';
import { rowsOfJson } from './json-rows.ts';
import { runCommand } from './run-command.ts';
import type { Source, SourceAddress, UnopenedSource } from './source.ts';

const TIMEOUT_MS = 10_000;

/** A command's standard output: as JSON when it is, else as a multiset of lines. */
export const exec: Source = { scheme: 'exec', form: 'exec:COMMAND', parse: parseExec };

function parseExec({ text, rest }: SourceAddress): UnopenedSource {
  const command = rest.trim();
  if (command === '') {
    throw new UserError('BAD_EFFECT', `"${text}" names no command (--effect).`, { hint: `Write it as ${exec.form}.` });
  }
  const source = hideCredentials(text);
  return {
    defaultName: nameOf(command),
    open: async (name, { cwd, env, clock }) => {
      const closing = new AbortController();
      const read = async () => {
        const end = await runCommand({ command, cwd, env, clock, timeoutMs: TIMEOUT_MS, signal: closing.signal });
        if (end.kind === 'failed') {
          throw new ProbeError(`"${source}" ${end.reason}.`, {
            hint: 'Run the command yourself and see what it says.',
          });
        }
        return snapshotOf(end.stdout);
      };
      await read();
      return { name, source, read, close: async () => closing.abort() };
    },
  };
}

function snapshotOf(output: string): Snapshot {
  const text = output.trim();
  if (text === '') return { collections: [] };
  try {
    return rowsOfJson(parseExactJson(text), '');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { collections: [{ name: 'lines', rows: lineRows(output) }] };
  }
}

/** The key counts equal lines, so that a line that comes a second time is one added row wherever it stands; no line holds the newline. */
function lineRows(output: string): readonly Row[] {
  const seen = new Map<string, number>();
  const lines = output.split(/\r?\n/).filter((line) => line !== '');
  return lines.map((line) => {
    const count = (seen.get(line) ?? 0) + 1;
    seen.set(line, count);
    return { key: count === 1 ? line : `${line}\n${count}`, cells: { line } };
  });
}

/** The program's name: `count-orders` for `./bin/count-orders.sh --all`. */
function nameOf(command: string): string {
  const program = command.split(/\s/)[0]?.split(/[\\/]/).at(-1) ?? '';
  return program.replace(/\.\w+$/, '').replace(/[^\p{L}\p{N}_.-]+/gu, '') || 'exec';
}
