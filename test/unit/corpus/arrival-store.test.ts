import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openCorpus } from '../../../src/corpus/open-corpus.ts';
import type { Arrival } from '../../../src/model/corpus.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ALL = { limit: 100, order: 'oldest-first' } as const;
const ANSWER = { kind: 'answered', by: 'capture', status: 200, tookMs: 3 } as const;

function arrival(changes: Partial<Arrival> = {}): Arrival {
  return {
    method: 'POST',
    path: '/hooks',
    query: 'a=1&a=2',
    headers: [
      ['Content-Type', 'application/json'],
      ['x-two', ''],
      ['X-Two', 'b'],
    ],
    payload: Buffer.from('{"id":"evt_1","type":"order.paid"}\n\xff', 'latin1'),
    receivedAt: '2026-01-05T10:00:00.007Z',
    tags: [],
    marks: [],
    ...changes,
  };
}

function freshFile(): string {
  return join(tempFolder(), 'corpus.db');
}

describe('arrivals', () => {
  it('are events with every byte and their facts once they are indexed, under the ids that were told', () => {
    const corpus = openCorpus(freshFile());
    const told = [
      arrival({ payload: Buffer.from('{"id":"evt_1","type":"order.paid"}') }),
      arrival({ provider: 'github', tags: ['checkout'], marks: ['truncated'], originalBytes: 5000 }),
    ];
    const ids = corpus.receive(told);
    expect(corpus.count({})).toBe(0);
    expect(corpus.index(10)).toBe(false);
    const [first, second] = corpus.events({}, ALL);
    expect([first?.id, second?.id]).toEqual(ids);
    expect(first).toMatchObject({ provider: 'generic', type: 'order.paid', eventId: 'evt_1', query: 'a=1&a=2' });
    expect(first?.receivedAt).toBe('2026-01-05T10:00:00.007Z');
    expect(second).toMatchObject({ provider: 'github', tags: ['checkout'], marks: ['truncated'], originalBytes: 5000 });
    for (const [index, event] of [first, second].entries()) {
      expect(event?.headers).toEqual(told[index]?.headers);
      expect(Buffer.from(event?.payload ?? [])).toEqual(told[index]?.payload);
    }
    corpus.close();
  });

  it('are indexed oldest first, as many at a time as wanted', () => {
    const corpus = openCorpus(freshFile());
    const ids = corpus.receive(Array.from({ length: 5 }, (_, index) => arrival({ path: `/${index}` })));
    expect(corpus.index(2)).toBe(true);
    expect(corpus.list({}, ALL).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(corpus.index(2)).toBe(true);
    expect(corpus.index(2)).toBe(false);
    expect(corpus.list({}, ALL).map(({ id }) => id)).toEqual(ids);
    corpus.close();
  });

  it('keep an answer that comes before they are indexed, and one that comes after', () => {
    const corpus = openCorpus(freshFile());
    const [early, late] = corpus.receive([arrival(), arrival()]) as [string, string];
    corpus.answered([{ id: early, answer: ANSWER }]);
    corpus.index(10);
    corpus.answered([{ id: late, answer: { ...ANSWER, status: 503 } }]);
    expect(corpus.answerOf(early)).toEqual(ANSWER);
    expect(corpus.answerOf(late)).toEqual({ ...ANSWER, status: 503 });
    corpus.close();
  });

  it('are indexed by whoever opens the corpus next, also while their receiver still has it open', () => {
    const file = freshFile();
    const capturing = openCorpus(file);
    const [id] = capturing.receive([arrival()]) as [string];
    const reading = openCorpus(file);
    expect(reading.list({}, ALL).map((event) => event.id)).toEqual([id]);
    capturing.answered([{ id, answer: ANSWER }]);
    expect(reading.answerOf(id)).toEqual(ANSWER);
    expect(capturing.index(10)).toBe(false);
    expect(reading.count({})).toBe(1);
    reading.close();
    capturing.close();
  });

  it('keep their own answers when another process has indexed those before them', () => {
    const file = freshFile();
    const capturing = openCorpus(file);
    const [first] = capturing.receive([arrival()]) as [string];
    const reading = openCorpus(file);
    const [second] = capturing.receive([arrival({ path: '/second' })]) as [string];
    capturing.answered([{ id: first, answer: ANSWER }]);
    reading.index(10);
    expect(reading.answerOf(first)).toEqual(ANSWER);
    expect(reading.answerOf(second)).toBeUndefined();
    capturing.answered([{ id: second, answer: { ...ANSWER, status: 503 } }]);
    expect(reading.answerOf(second)).toEqual({ ...ANSWER, status: 503 });
    reading.close();
    capturing.close();
  });

  it('leave nothing beside the events once all are indexed, also when an event was pruned before its answer came', () => {
    const file = freshFile();
    const corpus = openCorpus(file);
    const [id, kept] = corpus.receive([arrival(), arrival()]) as [string, string];
    corpus.answered([{ id: kept, answer: ANSWER }]);
    corpus.index(10);
    corpus.remove([id]);
    corpus.answered([{ id, answer: ANSWER }]);
    corpus.index(10);
    corpus.close();
    const rows = new Database(file, { readonly: true });
    expect(
      rows.prepare('SELECT (SELECT count(*) FROM arrival) + (SELECT count(*) FROM arrival_answer)').pluck().get(),
    ).toBe(0);
    expect(rows.prepare('SELECT count(*) FROM event').pluck().get()).toBe(1);
    rows.close();
  });
});
