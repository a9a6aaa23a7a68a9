import { describe, expect, it } from 'vitest';
import { judgeGap } from '../../../src/judge/judge-gap.ts';
import type { Cell, Effect } from '../../../src/model/effect.ts';
import { added, attempt, type Round, tell } from './story.ts';

const EVENTS = ['evt_1', 'evt_2', 'evt_3'];

/** What a receiver has done when these of three versions came. */
type Receiver = (versions: readonly number[], round: Round) => readonly Effect[];

function gapOf(receiver: Receiver, lastAnswer: number | 'refused' = 200) {
  const after = (events: readonly string[], trial: readonly number[], answer: number | 'refused' = 200) =>
    tell({
      events,
      once: (round) => receiver([1, 2, 3], round),
      trial: (round) => receiver(trial, round),
      attempts: (round) =>
        events.map((event, place) => attempt(round, { event, answer: place === events.length - 1 ? answer : 200 })),
    });
  const { baselines, payloads } = after(EVENTS, [1, 2, 3]);
  const stretchOf = (...words: Parameters<typeof after>) => {
    const [stretch] = after(...words).trial;
    if (!stretch) throw new Error('no stretch');
    return stretch;
  };
  return judgeGap({
    baselines,
    payloads,
    references: [stretchOf(['evt_1'], [1]), stretchOf(['evt_1', 'evt_2'], [1, 2])],
    stretch: stretchOf(['evt_1', 'evt_3'], [1, 3], lastAnswer),
    hint: 'Do not wait.',
  });
}

const STATES = ['', 'pending', 'paid', 'shipped'];

function order(round: Round, cells: Readonly<Record<string, Cell>>) {
  return added('orders', round.id('order_1'), { reference: round.id('order_1'), ...cells });
}

const seen = (versions: readonly number[], round: Round) =>
  versions.map((version) => added('seen', round.id(`evt_${version}`), { event_id: round.id(`evt_${version}`) }));

const newest = (versions: readonly number[]) => Math.max(...versions);

/** 1, 2, 3 without a gap. */
const upToGap = (versions: readonly number[]) => versions.filter((version, place) => version === place + 1);

describe('a version behind a gap', () => {
  it('may take effect at once, counting the events that came', () => {
    const receiver: Receiver = (versions, round) => [
      ...seen(versions, round),
      order(round, { status: STATES[newest(versions)] ?? '', events: versions.length }),
    ];
    expect(gapOf(receiver)).toEqual({ findings: [] });
  });

  it('is lost when the state stays as before the gap, although the ledger knows it', () => {
    const receiver: Receiver = (versions, round) => [
      ...seen(versions, round),
      order(round, { status: STATES[newest(upToGap(versions))] ?? '' }),
    ];
    const { findings } = gapOf(receiver);
    expect(findings).toMatchObject([
      {
        check: 'no-lost-effect',
        effect: 'orders',
        event: 'evt_3',
        expected: expect.stringContaining('status=shipped'),
        actual: expect.stringContaining('status=pending'),
        hint: 'Do not wait.',
        ignore: ['orders.status'],
      },
    ]);
  });

  it('is lost when the row that it adds is not there', () => {
    const receiver: Receiver = (versions, round) =>
      upToGap(versions).map((version) =>
        added('history', round.id(`evt_${version}`), { status: STATES[version] ?? '' }),
      );
    expect(gapOf(receiver).findings).toMatchObject([{ check: 'no-lost-effect', effect: 'history' }]);
  });

  it('need not leave what the missing one would have left', () => {
    const receiver: Receiver = (versions, round) => [
      order(round, { status: STATES[newest(versions)] ?? '', paid_at: versions.includes(2) ? 'monday' : null }),
    ];
    expect(gapOf(receiver)).toEqual({ findings: [] });
  });

  it('may tell of the state before the gap as the one that it came from', () => {
    const receiver: Receiver = (versions, round) => [
      order(round, { status: STATES[newest(versions)] ?? '', before: STATES[versions.at(-2) ?? 0] ?? '' }),
    ];
    expect(gapOf(receiver)).toEqual({ findings: [] });
  });

  it('proves nothing when it makes no difference', () => {
    const receiver: Receiver = (versions, round) => [order(round, { paid: versions.includes(2) ? 1 : 0 })];
    expect(gapOf(receiver)).toMatchObject({ findings: [], reason: expect.stringContaining('cannot be told') });
  });

  it('proves nothing when it leaves a third state', () => {
    const receiver: Receiver = (versions, round) => [
      order(round, { status: versions.join() === '1,3' ? 'held' : (STATES[newest(versions)] ?? '') }),
    ];
    expect(gapOf(receiver)).toMatchObject({ findings: [], reason: expect.stringContaining('status=held') });
  });

  it('proves nothing when it never arrived', () => {
    const receiver: Receiver = (versions, round) => [order(round, { status: STATES[newest(upToGap(versions))] ?? '' })];
    expect(gapOf(receiver, 'refused')).toMatchObject({
      findings: [],
      reason: expect.stringContaining('did not reach'),
    });
  });
});
