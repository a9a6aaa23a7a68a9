import type { Attempt } from '../model/attempt.ts';
import type { Corpus } from '../model/corpus.ts';
import { type Redactor, redactDeep } from '../support/redact.ts';
import { redactedRun } from './print-run.ts';

type Store = Pick<Corpus, 'addAttempts' | 'saveRun' | 'get'>;

/** A run is kept without secrets, also where a receiver's answer or a row repeats one. */
export function redactedStore(store: Store, redactor: Redactor): Store {
  return {
    get: store.get,
    addAttempts: (run, attempts) =>
      store.addAttempts(
        run,
        attempts.map((attempt) => redactedAttempt(attempt, redactor)),
      ),
    saveRun: (run, evidence) => store.saveRun(redactedRun(run, redactor), redactDeep(evidence, redactor)),
  };
}

function redactedAttempt(attempt: Attempt, redactor: Redactor): Attempt {
  const { outcome } = attempt;
  if (outcome.kind === 'no-response') return { ...attempt, outcome: redactDeep(outcome, redactor) };
  // One character is one byte, so that what is no secret comes back as it was.
  const text = Buffer.from(outcome.body.buffer, outcome.body.byteOffset, outcome.body.length).toString('latin1');
  const redacted = redactor.redact(text);
  const body = redacted === text ? outcome.body : Buffer.from(redacted, 'latin1');
  return { ...attempt, outcome: { ...outcome, headers: redactDeep(outcome.headers, redactor), body } };
}
