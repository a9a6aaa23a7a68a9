import { describe, expect, it } from 'vitest';
import type { EventFilter } from '../../../src/model/corpus.ts';
import type { WebhookEvent } from '../../../src/model/event.ts';
import type { Selector } from '../../../src/select/parse-selector.ts';
import { type SelectPorts, selectEvents } from '../../../src/select/select-events.ts';

function event(id: string, changes: Partial<WebhookEvent> = {}): WebhookEvent {
  const receivedAt = `2026-01-01T00:00:0${id.slice(-1)}.000Z`;
  const request = { method: 'POST', path: '/', query: null, headers: [], payload: new Uint8Array() };
  return { ...request, id, receivedAt, provider: 'generic', type: `t.${id}`, tags: [], marks: [], ...changes };
}

const KEPT = [event('a1'), event('b2', { tags: ['x'] }), event('c3', { tags: ['x'], eventId: 'evt_c' })];

const matches = (kept: WebhookEvent, { types, tags, providers }: EventFilter) =>
  (!types || types.includes(kept.type ?? '')) &&
  (!tags || tags.some((tag) => kept.tags.includes(tag))) &&
  (!providers || providers.includes(kept.provider));

function portsOf(kept: readonly WebhookEvent[], more: Partial<SelectPorts> = {}): SelectPorts {
  return {
    corpus: {
      get: (id) => kept.find((one) => one.id === id || one.eventId === id),
      events: (filter, { limit, order }) => {
        const found = kept.filter((one) => matches(one, filter));
        return (order === 'newest-first' ? [...found].reverse() : found).slice(0, limit);
      },
      list: (_, { limit }) => kept.slice(0, limit).map((one) => ({ ...one, payloadBytes: 0 })),
    },
    readFile: (path) => [event(`${path}9`), event(`${path}0`)],
    fixture: () => [],
    ...more,
  };
}

const select = (selectors: readonly Selector[], ports = portsOf(KEPT), incomplete: 'refuse' | 'allow' = 'refuse') =>
  selectEvents(selectors, ports, { incomplete });
const ids = (events: readonly WebhookEvent[]) => events.map(({ id }) => id);

describe('selectEvents', () => {
  it.each<[string, Selector[], string[]]>([
    ['one by id', [{ kind: 'id', id: 'b2' }], ['b2']],
    ['one by the id of its provider', [{ kind: 'id', id: 'evt_c' }], ['c3']],
    ['the last two, oldest first', [{ kind: 'last', count: 2 }], ['b2', 'c3']],
    ['all of a tag', [{ kind: 'tag', glob: 'x' }], ['b2', 'c3']],
    ['all of a type', [{ kind: 'type', glob: 't.a1' }], ['a1']],
    ['all of a provider', [{ kind: 'provider', glob: 'generic' }], ['a1', 'b2', 'c3']],
    [
      'several in any order, each once',
      [
        { kind: 'id', id: 'c3' },
        { kind: 'tag', glob: 'x' },
        { kind: 'id', id: 'a1' },
      ],
      ['a1', 'b2', 'c3'],
    ],
    [
      'a file among others by time',
      [
        { kind: 'file', path: 'f' },
        { kind: 'id', id: 'b2' },
      ],
      ['f0', 'b2', 'f9'],
    ],
  ])('finds %s', async (_title, selectors, expected) => {
    expect(ids(await select(selectors))).toEqual(expected);
  });

  it('keeps the order given among events of one time', async () => {
    const receivedAt = '2026-01-01T00:00:00.000Z';
    const readFile = (path: string) => [event(`${path}2`, { receivedAt }), event(`${path}1`, { receivedAt })];
    const found = await select(
      [
        { kind: 'file', path: 'z' },
        { kind: 'file', path: 'a' },
      ],
      portsOf(KEPT, { readFile }),
    );
    expect(ids(found)).toEqual(['z2', 'z1', 'a2', 'a1']);
  });

  it('asks for fixtures, runs and findings by name', async () => {
    const named = (kind: string) => (name: string) => [event(`${kind}-${name}1`)];
    const ports = portsOf(KEPT, { fixture: named('fixture'), run: named('run'), finding: named('finding') });
    const selectors: Selector[] = [
      { kind: 'fixture', name: 'f' },
      { kind: 'run', id: 'r' },
      { kind: 'finding', id: 'n' },
    ];
    expect(ids(await select(selectors, ports))).toEqual(['fixture-f1', 'run-r1', 'finding-n1']);
  });

  it.each<[Selector, RegExp, RegExp]>([
    [{ kind: 'id', id: 'b3' }, /no event with the id "b3"/, /Did you mean "b2"\?/],
    [{ kind: 'id', id: 'evt_d' }, /id "evt_d"/, /Did you mean "evt_c"\?/],
    [{ kind: 'id', id: 'some/path' }, /no file "some\/path", and no event/, /There are: a1, b2/],
    [{ kind: 'type', glob: 't.a2' }, /type "t\.a2"/, /Did you mean "type:t\.a1"\?/],
    [{ kind: 'type', glob: 'invoice.*' }, /type "invoice\.\*"/, /There are: t\.a1, t\.b2, t\.c3\./],
    [{ kind: 'tag', glob: 'yy' }, /tag "yy"/, /There are: x\./],
    [{ kind: 'provider', glob: 'generik' }, /provider "generik"/, /Did you mean "provider:generic"\?/],
    [{ kind: 'fixture', name: 'nope' }, /no fixture "nope"/, /webhook-replay fixtures/],
    [{ kind: 'run', id: 'nope' }, /no run "nope"/, /last line of a report/],
    [{ kind: 'finding', id: 'nope' }, /no finding "nope"/, /last line of a report/],
  ])('%j names nothing and says what is there', async (selector, message, hint) => {
    const error = await select([{ kind: 'id', id: 'a1' }, selector]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'NOTHING_SELECTED', exitCode: 2 });
    expect(error).toMatchObject({ message: expect.stringMatching(message), hint: expect.stringMatching(hint) });
  });

  it('says how to fill an empty corpus', async () => {
    await expect(select([{ kind: 'last', count: 1 }], portsOf([]))).rejects.toMatchObject({
      hint: expect.stringContaining('webhook-replay capture or import'),
    });
  });

  it.each(['truncated', 'incomplete'] as const)('refuses an event that is %s, unless it is allowed', async (mark) => {
    const ports = portsOf([event('m1', { marks: [mark] })]);
    await expect(select([{ kind: 'id', id: 'm1' }], ports)).rejects.toThrow(/"m1" is not complete/);
    expect(ids(await select([{ kind: 'id', id: 'm1' }], ports, 'allow'))).toEqual(['m1']);
  });

  it('takes an event whose format had lost bytes: it says so wherever it is shown', async () => {
    const ports = portsOf([event('m1', { marks: ['bytes-lost'] })]);
    expect(await select([{ kind: 'id', id: 'm1' }], ports)).toHaveLength(1);
  });
});
