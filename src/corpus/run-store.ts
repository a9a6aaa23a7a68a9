import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Attempt } from '../model/attempt.ts';
import type { Corpus, EvidencePart, RunSummary } from '../model/corpus.ts';
import type { Headers } from '../model/event.ts';
import type { Step } from '../model/plan.ts';
import type { Run } from '../model/run.ts';
import type { SqliteDatabase } from '../support/sqlite.ts';
import type { Prepare } from './prepare.ts';

type RunStore = Pick<Corpus, 'addAttempts' | 'saveRun' | 'run' | 'evidence' | 'runs' | 'attempts'>;

/**
 * Runs, attempts and evidence are JSON documents, the last packed; an answer's body is kept as bytes beside its attempt. The steps
 * of a plan may be far more than all else of its run: they are packed in parts, at negative positions, and read only with the run.
 */
export function runStore(db: SqliteDatabase, prepare: Prepare): RunStore {
  const addAll = db.transaction((run: string, attempts: readonly Attempt[]) => {
    const insert = prepare('INSERT OR REPLACE INTO attempt (run, number, document, body) VALUES (?, ?, ?, ?)');
    for (const attempt of attempts) insert.run(run, attempt.number, ...documentOf(attempt));
  });
  const saveAll = db.transaction((run: Run, evidence: readonly EvidencePart[]) => {
    const insertRun = prepare('INSERT OR REPLACE INTO run (id, started_at, document) VALUES (?, ?, ?)');
    const document = run.plan ? { ...run, plan: { ...run.plan, steps: [] } } : run;
    insertRun.run(run.id, run.startedAt, JSON.stringify(document));
    prepare('DELETE FROM evidence WHERE run = ?').run(run.id);
    const insert = prepare('INSERT INTO evidence (run, position, part, document) VALUES (?, ?, ?, ?)');
    for (const [index, steps] of stepParts(run.plan?.steps ?? []).entries())
      insert.run(run.id, -1 - index, 'plan', pack(steps));
    for (const [position, { name, document }] of evidence.entries()) insert.run(run.id, position, name, pack(document));
  });
  return {
    // A crash of the machine may lose the last batches of a run, never of a capture: nothing waits for the disk here.
    addAttempts: (run, attempts) => {
      db.pragma('synchronous = NORMAL');
      try {
        addAll.immediate(run, attempts);
      } finally {
        db.pragma('synchronous = FULL');
      }
    },
    saveRun: (run, evidence) => saveAll.immediate(run, evidence ?? []),
    run: (id) => {
      const text = prepare('SELECT document FROM run WHERE id = ?').pluck().get(id) as string | undefined;
      if (text === undefined) return undefined;
      const run = JSON.parse(text) as Run;
      if (!run.plan) return run;
      const parts = prepare('SELECT document FROM evidence WHERE run = ? AND position < 0 ORDER BY position DESC');
      const steps = (parts.pluck().all(id) as Uint8Array[]).flatMap((part) => unpack(part) as readonly Step[]);
      return steps.length === 0 ? run : { ...run, plan: { ...run.plan, steps } };
    },
    runs: (limit) => {
      const rows = prepare(
        `SELECT json_object('id', id, 'command', document ->> 'command', 'startedAt', started_at,
          'durationMs', document ->> 'durationMs', 'seed', document ->> 'seed', 'verdict', document ->> 'verdict',
          'interrupted', json(document -> 'interrupted'), 'receiver', json(document -> 'receiver'),
          'counts', json(document -> 'counts'), 'pattern', document ->> '$.plan.pattern', 'verdicts',
          (SELECT json_group_array(value ->> 'verdict') FROM json_each(document, '$.trials')))
         FROM run ORDER BY started_at DESC, id LIMIT ?`,
      );
      return (rows.pluck().all(limit) as string[]).map(summaryOf);
    },
    evidence: (run) => {
      const rows = prepare('SELECT part, document FROM evidence WHERE run = ? AND position >= 0 ORDER BY position').all(
        run,
      );
      return (rows as EvidenceRow[]).map(({ part, document }) => ({ name: part, document: unpack(document) }));
    },
    attempts: (run) => {
      const rows = prepare('SELECT document, body FROM attempt WHERE run = ? ORDER BY number').all(run);
      return (rows as AttemptRow[]).map(attemptOf);
    },
  };
}

/** Small enough that the text of one weighs nothing. */
const STEPS_A_PART = 5000;

function stepParts(steps: readonly Step[]): ReadonlyArray<readonly Step[]> {
  const count = Math.ceil(steps.length / STEPS_A_PART);
  return Array.from({ length: count }, (_, part) => steps.slice(part * STEPS_A_PART, (part + 1) * STEPS_A_PART));
}

function pack(document: unknown): Uint8Array {
  return deflateRawSync(JSON.stringify(document));
}

function unpack(packed: Uint8Array): unknown {
  return JSON.parse(inflateRawSync(packed).toString('utf8'));
}

/** SQL has no value that is absent. */
function summaryOf(text: string): RunSummary {
  const { pattern, ...summary } = JSON.parse(text) as RunSummary & { readonly pattern: string | null };
  return pattern === null ? summary : { ...summary, pattern };
}

type EvidenceRow = { readonly part: string; readonly document: Uint8Array };
type AttemptRow = { readonly document: string; readonly body: Uint8Array | null };

function documentOf(attempt: Attempt): readonly [document: string, body: Uint8Array | null] {
  const { outcome, ...rest } = attempt;
  if (outcome.kind !== 'response') return [JSON.stringify(attempt), null];
  return [`${JSON.stringify(rest).slice(0, -1)},"outcome":${answerText(outcome)}}`, outcome.body];
}

type Answer = Extract<Attempt['outcome'], { readonly kind: 'response' }>;

const texts = new WeakMap<Headers, { readonly status: number; readonly text: string }>();

/** An answer without its body, as JSON. Answers that begin alike share their headers, and have one text. */
function answerText({ kind, status, headers }: Answer): string {
  const known = texts.get(headers);
  if (known?.status === status) return known.text;
  const text = JSON.stringify({ kind, status, headers });
  texts.set(headers, { status, text });
  return text;
}

function attemptOf({ document, body }: AttemptRow): Attempt {
  const attempt = JSON.parse(document) as Attempt;
  if (attempt.outcome.kind !== 'response') return attempt;
  const bytes = body ? new Uint8Array(body) : new Uint8Array();
  return { ...attempt, outcome: { ...attempt.outcome, body: bytes } };
}
