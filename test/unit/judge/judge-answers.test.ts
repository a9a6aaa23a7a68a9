import { describe, expect, it } from 'vitest';
import { createAnswerTally } from '../../../src/judge/judge-answers.ts';
import type { Attempt } from '../../../src/model/attempt.ts';
import { attempt, type Exchange } from './story.ts';

const round = { name: 'round-1' };

function tallied(attempts: readonly Attempt[]) {
  const tally = createAnswerTally((event) => event.replace('ours-', ''));
  for (const each of attempts) tally.add(each);
  return tally.conclude();
}

const answered = (...exchanges: readonly Exchange[]) => tallied(exchanges.map((each) => attempt(round, each)));

function refused(status: number, { body = '', location }: { body?: string; location?: string } = {}): Attempt {
  const headers = location === undefined ? [] : [['Location', location] as const];
  return { ...attempt(round), outcome: { kind: 'response', status, headers, body: Buffer.from(body) } };
}

describe('answers alone', () => {
  it('pass when every delivery was acknowledged in the end', () => {
    expect(answered({ copy: 1 }, { copy: 2, answer: 204 }, { copy: 3, answer: 202 })).toEqual({
      verdict: 'pass',
      findings: [],
      deliveries: 3,
      acknowledged: 3,
    });
    expect(answered({ answer: 500 }, { answer: 'reset', attempt: 2 }, { attempt: 3 })).toMatchObject({
      verdict: 'pass',
      deliveries: 1,
    });
  });

  it('count the last attempt of a delivery, whatever the order in which attempts are told', () => {
    expect(answered({ answer: 503, attempt: 2 }, { answer: 'reset', attempt: 1 }).findings).toMatchObject([
      { actual: '503' },
    ]);
    expect(answered({ answer: 500, attempt: 1 }, { answer: 404, attempt: 2 }).findings).toMatchObject([
      { actual: '404', evidence: ['evt_1, copy 1 in round-1 -> 404 after 2 attempts'] },
    ]);
    expect(answered({ attempt: 2 }, { answer: 500, attempt: 1 }).verdict).toBe('pass');
  });

  it('keep the deliveries of other rounds, events and copies apart', () => {
    const judgement = tallied([
      attempt(round, { answer: 500 }),
      attempt(round, { copy: 2 }),
      attempt(round, { event: 'evt_2' }),
      attempt({ name: 'round-2' }),
    ]);
    expect(judgement).toMatchObject({ verdict: 'fail', deliveries: 4, acknowledged: 3 });
    expect(judgement.findings[0]).toMatchObject({
      check: 'answered-2xx',
      title: '1 of 4 deliveries was answered 500 instead of 2xx',
      event: 'evt_1',
    });
  });

  it.each([
    [301, /Redirects are not followed: .* Give the final URL \(https:\/\/shop\.test\/hooks\/\) with --to/],
    [307, /Redirects are not followed/],
    [400, /--secret/],
    [401, /--secret/],
    [403, /--secret/],
    [404, /path in --to/],
    [405, /path/],
    [409, /Answer 200 to what was handled already/],
    [413, /limit for bodies/],
    [418, /refuses the event/],
    [429, /--speed/],
    [500, /log says why/],
    [503, /overloaded or not ready/],
    [599, /log says why/],
  ])('fail for %i with a hint that fits', (status, hint) => {
    const { verdict, findings } = tallied([refused(status, { location: 'https://shop.test/hooks/' })]);
    expect(verdict).toBe('fail');
    expect(findings).toMatchObject([
      { title: `The delivery was answered ${status} instead of 2xx`, expected: '2xx', actual: String(status) },
    ]);
    expect(findings[0]?.hint).toMatch(hint);
  });

  it('make one finding for each status, and show what was said', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      ...refused(400, { body: 'bad\nsignature' }),
      step: `s${index + 1}`,
      copy: index + 1,
    }));
    const { findings } = tallied([...many, { ...refused(500), step: 's99', copy: 99 }]);
    expect(findings.map(({ title }) => title)).toEqual([
      '9 of 10 deliveries were answered 400 instead of 2xx',
      '1 of 10 deliveries was answered 500 instead of 2xx',
    ]);
    expect(findings[0]?.evidence).toHaveLength(6);
    expect(findings[0]?.evidence[0]).toBe('evt_1, copy 1 in round-1 -> 400: bad signature');
    expect(findings[0]?.evidence.at(-1)).toBe('... and 4 more');
  });

  it('keep what was said before where the last answer comes without its body', () => {
    const { findings } = tallied([refused(400, { body: 'bad signature' }), { ...refused(400), attempt: 2 }]);
    expect(findings[0]?.evidence).toEqual(['evt_1, copy 1 in round-1 -> 400 after 2 attempts: bad signature']);
  });

  it('are inconclusive without any answer, and say why', () => {
    expect(answered({ answer: 'refused' })).toMatchObject({
      verdict: 'inconclusive',
      findings: [],
      reason: 'evt_1 has no answer. it was refused',
    });
    expect(answered({}, { event: 'evt_2', answer: 'timeout' }).reason).toBe(
      '1 of 2 deliveries has no answer: evt_2. it was timeout No answer does not mean that nothing happened.',
    );
    expect(answered().reason).toBe('Nothing was delivered.');
  });

  it('fail when one was refused, though another had no answer', () => {
    expect(answered({ answer: 'timeout' }, { copy: 2, answer: 500 }).verdict).toBe('fail');
  });
});
