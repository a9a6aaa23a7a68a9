import type { Attempt } from '../model/attempt.ts';
import type { Corpus } from '../model/corpus.ts';
import type { Headers } from '../model/event.ts';
import { type Redactor, redactDeep } from '../support/redact.ts';
import { redactedRun } from './print-run.ts';

type Store = Pick<Corpus, 'addAttempts' | 'saveRun' | 'get'>;

/** A run is kept without secrets, also where a receiver's answer or a row repeats one. */
export function redactedStore(store: Store, redactor: Redactor): Store {
  const headersOf = onceEach((headers: Headers) => redactDeep(headers, redactor));
  return {
    get: store.get,
    addAttempts: (run, attempts) =>
      store.addAttempts(
        run,
        attempts.map((attempt) => redactedAttempt(attempt, { redactor, headersOf })),
      ),
    saveRun: (run, evidence) => store.saveRun(redactedRun(run, redactor), redactDeep(evidence, redactor)),
  };
}

/** Answers that begin alike share their headers. */
function onceEach<T extends object>(work: (value: T) => T): (value: T) => T {
  const known = new WeakMap<T, T>();
  return (value) => {
    const result = known.get(value) ?? work(value);
    known.set(value, result);
    return result;
  };
}

type Redacting = { readonly redactor: Redactor; readonly headersOf: (headers: Headers) => Headers };

function redactedAttempt(attempt: Attempt, { redactor, headersOf }: Redacting): Attempt {
  const { outcome } = attempt;
  if (outcome.kind === 'no-response') return { ...attempt, outcome: redactDeep(outcome, redactor) };
  // One character is one byte, so that what is no secret comes back as it was.
  const text = Buffer.from(outcome.body.buffer, outcome.body.byteOffset, outcome.body.length).toString('latin1');
  const redacted = redactor.redact(text);
  const body = redacted === text ? outcome.body : Buffer.from(redacted, 'latin1');
  return { ...attempt, outcome: { ...outcome, headers: headersOf(outcome.headers), body } };
}
