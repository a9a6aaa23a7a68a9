import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

export type EnvFile = {
  /** Absolute; the file need not be there. */
  readonly file: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
};

/** The variables of `.env` in this folder; none when there is no such file or it may not be read. */
export function readEnvFile(folder: string): EnvFile {
  const file = join(folder, '.env');
  try {
    return { file, variables: parseEnv(readFileSync(file, 'utf8')) };
  } catch {
    return { file, variables: {} };
  }
}
