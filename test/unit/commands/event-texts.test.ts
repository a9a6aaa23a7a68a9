import { describe, expect, it } from 'vitest';
import { answerSentence, answerWord, timeText } from '../../../src/commands/event-texts.ts';

const NOW = Date.parse('2026-01-10T00:00:00.000Z');

describe('timeText', () => {
  it.each([
    ['2026-01-09T23:59:59.900Z', '2026-01-09 23:59:59Z (now)'],
    ['2026-01-09T23:58:30.000Z', '2026-01-09 23:58:30Z (2 min ago)'],
    ['2026-01-09T22:00:00.000Z', '2026-01-09 22:00:00Z (2 h ago)'],
    ['2026-01-01T00:00:00.000Z', '2026-01-01 00:00:00Z (9 days ago)'],
    ['2026-02-01T00:00:00.000Z', '2026-02-01 00:00:00Z (in the future)'],
  ])('%s', (iso, expected) => {
    expect(timeText(iso, NOW)).toBe(expected);
  });
});

describe('what the sender was told', () => {
  it('is a status, or that nobody took it', () => {
    const answered = { kind: 'answered', by: 'receiver', status: 503, tookMs: 12 } as const;
    const lost = { kind: 'not-delivered', reason: 'refused', tookMs: 3 } as const;
    expect([undefined, answered, lost].map(answerWord)).toEqual(['', '503', 'not delivered']);
    expect(answerSentence(answered)).toBe('answered 503 by the receiver after 12 ms');
    expect(answerSentence({ ...answered, by: 'capture' })).toMatch(/by the capture/);
    expect(answerSentence(lost)).toBe('not delivered (refused) after 3 ms');
  });
});
