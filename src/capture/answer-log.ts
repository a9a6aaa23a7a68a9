import type { ArrivalDesk } from '../model/corpus.ts';
import type { CapturedAnswer } from '../model/event.ts';
import type { Clock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';

export type AnswerLog = {
  readonly note: (id: string, answer: CapturedAnswer) => void;
  /** Writes what is waiting now. */
  readonly flush: () => Promise<void>;
};

export type AnswerLogOptions = {
  readonly answered: ArrivalDesk['answered'];
  readonly clock: Clock;
  readonly warn: (text: string) => void;
};

/** Answers are worth less than deliveries: a crash may lose those of the last moments, and they do not cost each delivery a second fsync. */
const COLLECT_MS = 50;

export function answerLog({ answered, clock, warn }: AnswerLogOptions): AnswerLog {
  let waiting: Array<{ readonly id: string; readonly answer: CapturedAnswer }> = [];
  const flush = async () => {
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    try {
      await answered(batch);
    } catch (error) {
      warn(`The answers to ${batch.length} deliveries could not be noted in the corpus: ${messageOf(error)}.`);
    }
  };
  return {
    note: (id, answer) => {
      if (waiting.length === 0) void clock.sleep(COLLECT_MS).then(flush);
      waiting.push({ id, answer });
    },
    flush,
  };
}
