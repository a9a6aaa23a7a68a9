import type { Attempt } from '../model/attempt.ts';
import type { Corpus, RunSummary } from '../model/corpus.ts';
import type { Run } from '../model/run.ts';
import type { SqliteDatabase } from '../support/sqlite.ts';
import type { Prepare } from './prepare.ts';

type RunStore = Pick<Corpus, 'addAttempts' | 'saveRun' | 'run' | 'runs' | 'attempts'>;

/** Runs and attempts are JSON documents; an answer's body is kept as bytes beside its attempt. */
export function runStore(db: SqliteDatabase, prepare: Prepare): RunStore {
  const addAll = db.transaction((run: string, attempts: readonly Attempt[]) => {
    const insert = prepare('INSERT OR REPLACE INTO attempt (run, number, document, body) VALUES (?, ?, ?, ?)');
    for (const attempt of attempts) insert.run(run, attempt.number, ...documentOf(attempt));
  });
  return {
    addAttempts: (run, attempts) => addAll.immediate(run, attempts),
    saveRun: (run) => {
      prepare('INSERT OR REPLACE INTO run (id, started_at, document) VALUES (?, ?, ?)').run(
        run.id,
        run.startedAt,
        JSON.stringify(run),
      );
    },
    run: (id) => {
      const text = prepare('SELECT document FROM run WHERE id = ?').pluck().get(id) as string | undefined;
      return text === undefined ? undefined : (JSON.parse(text) as Run);
    },
    runs: (limit) => {
      const rows = prepare(
        `SELECT json_object('id', id, 'command', document ->> 'command', 'startedAt', started_at,
          'durationMs', document ->> 'durationMs', 'seed', document ->> 'seed', 'verdict', document ->> 'verdict')
         FROM run ORDER BY started_at DESC, id LIMIT ?`,
      );
      return (rows.pluck().all(limit) as string[]).map((text) => JSON.parse(text) as RunSummary);
    },
    attempts: (run) => {
      const rows = prepare('SELECT document, body FROM attempt WHERE run = ? ORDER BY number').all(run);
      return (rows as AttemptRow[]).map(attemptOf);
    },
  };
}

type AttemptRow = { readonly document: string; readonly body: Uint8Array | null };

function documentOf(attempt: Attempt): readonly [document: string, body: Uint8Array | null] {
  const { outcome } = attempt;
  if (outcome.kind !== 'response') return [JSON.stringify(attempt), null];
  const { body, ...rest } = outcome;
  return [JSON.stringify({ ...attempt, outcome: rest }), body];
}

function attemptOf({ document, body }: AttemptRow): Attempt {
  const attempt = JSON.parse(document) as Attempt;
  if (attempt.outcome.kind !== 'response') return attempt;
  const bytes = body ? new Uint8Array(body) : new Uint8Array();
  return { ...attempt, outcome: { ...attempt.outcome, body: bytes } };
}
