import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { openCorpus } from '../../../src/corpus/open-corpus.ts';
import type { Corpus, EventFilter, NewEvent } from '../../../src/model/corpus.ts';
import { isoTime } from '../../../src/support/clock.ts';
import { rawRequest } from '../../support/arbitraries.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
let corpus: Corpus;
let files = 0;

beforeEach(() => {
  corpus = openCorpus(join(folder, `${files++}.db`));
  return () => corpus.close();
});

const START = Date.parse('2026-01-01T00:00:00.000Z');
const bytes = (text: string) => new Uint8Array(Buffer.from(text));

function event(changes: Partial<NewEvent> = {}): NewEvent {
  return {
    method: 'POST',
    path: '/hooks',
    query: null,
    headers: [['Content-Type', 'application/json']],
    payload: bytes('{}'),
    provider: 'generic',
    receivedAt: isoTime(START),
    tags: [],
    marks: [],
    origin: 'capture',
    ...changes,
  };
}

function addTyped(...types: readonly string[]): readonly string[] {
  return corpus
    .add(types.map((type, at) => event({ type, receivedAt: isoTime(START + at * 1000) })))
    .map(({ id }) => id);
}

function typesOf(filter: EventFilter): readonly (string | undefined)[] {
  return corpus.list(filter, { limit: 99, order: 'oldest-first' }).map(({ type }) => type);
}

describe('add and get', () => {
  it('gives back every byte of any request', () => {
    fc.assert(
      fc.property(rawRequest, (request) => {
        const [added] = corpus.add([event(request)]);
        expect(corpus.get(added?.id ?? '')).toMatchObject(request);
      }),
    );
  });

  it('keeps facts, tags, marks, the full size and the answer', () => {
    const full = event({
      id: 'MyOwn1',
      provider: 'stripe',
      type: 'invoice.paid',
      eventId: 'evt_1',
      deliveryId: 'd-1',
      occurredAt: '2025-12-31T23:59:59.000Z',
      resource: 'in_1',
      tags: ['b', 'a'],
      marks: ['truncated'],
      originalBytes: 5_000_000,
      answer: { kind: 'answered', by: 'receiver', status: 200, tookMs: 3 },
    });
    corpus.add([full]);
    const { origin: _, answer, ...rest } = full;
    expect(corpus.get('MyOwn1')).toEqual({ ...rest, tags: ['a', 'b'] });
    expect(corpus.answerOf('MyOwn1')).toEqual(answer);
  });

  it('draws a new id when the given one is taken or is no plain word', () => {
    const [first, second, odd] = corpus.add([event({ id: 'Same1' }), event({ id: 'Same1' }), event({ id: '@tag/x' })]);
    expect(first?.id).toBe('Same1');
    expect(second?.id).toMatch(/^[A-Za-z0-9]{6}$/);
    expect(odd?.id).toMatch(/^[A-Za-z0-9]{6}$/);
  });

  it('finds the newest delivery by the id of the provider', () => {
    const [, newest] = corpus.add([
      event({ eventId: 'evt_1' }),
      event({ eventId: 'evt_1', receivedAt: isoTime(START + 5) }),
      event({ eventId: 'evt_1', receivedAt: isoTime(START + 1) }),
    ]);
    expect(corpus.get('evt_1')?.id).toBe(newest?.id);
    expect(corpus.get('evt_2')).toBeUndefined();
  });

  it('adds all or nothing', () => {
    const broken = event({ method: null as unknown as string });
    expect(() => corpus.add([event(), broken])).toThrow();
    expect(corpus.count({})).toBe(0);
  });
});

describe('importing what is there already', () => {
  const imported = (changes: Partial<NewEvent> = {}) => event({ origin: 'import', ...changes });

  it('keeps captured retries apart', () => {
    corpus.add([event(), event()]);
    expect(corpus.count({})).toBe(2);
  });

  it('keeps one of two imports of the same request', () => {
    const [first, second] = corpus.add([imported(), imported({ receivedAt: isoTime(START + 9) })]);
    expect([first?.kept, second?.kept]).toEqual(['new', 'already-there']);
    expect(second?.id).toBe(first?.id);
  });

  it('knows a captured request again', () => {
    corpus.add([event()]);
    expect(corpus.add([imported()])[0]?.kept).toBe('already-there');
  });

  it.each<[string, Partial<NewEvent>]>([
    ['method', { method: 'PUT' }],
    ['path', { path: '/other' }],
    ['query', { query: '' }],
    ['case of a header', { headers: [['content-type', 'application/json']] }],
    ['payload', { payload: bytes('{} ') }],
    ['time, where the format gives it', { dated: true, receivedAt: isoTime(START + 1) }],
    ['id, where the format gives it', { id: 'Other1' }],
  ])('adds one that differs in its %s', (_title, changes) => {
    corpus.add([event()]);
    expect(corpus.add([imported(changes)])[0]?.kept).toBe('new');
  });

  it('knows an import again whose id was taken the first time', () => {
    corpus.add([event({ id: 'Taken1', path: '/something-else' })]);
    const line = imported({ id: 'Taken1', dated: true });
    expect(corpus.add([line])[0]?.kept).toBe('new');
    expect(corpus.add([line])[0]?.kept).toBe('already-there');
  });

  it('keeps two exported retries with equal bytes and time but different ids', () => {
    corpus.add([imported({ id: 'One11', dated: true }), imported({ id: 'Two22', dated: true })]);
    expect(corpus.count({})).toBe(2);
  });
});

describe('filters', () => {
  it.each<[string, EventFilter, readonly string[]]>([
    ['a type', { types: ['a.b'] }, ['a.b']],
    ['a glob', { types: ['a.*'] }, ['a.b', 'a.c/d']],
    ['a glob with letter case', { types: ['A.*'] }, []],
    ['two types', { types: ['a.b', 'x*'] }, ['a.b', 'x[1]?']],
    ['characters that are special to SQLite only', { types: ['x[1]?*'] }, ['x[1]?']],
    ['no type at all', { types: [] }, []],
    ['a time from', { since: isoTime(START + 1000) }, ['a.c/d', 'x[1]?']],
    ['a time up to', { until: isoTime(START + 1000) }, ['a.b']],
    ['type and time', { types: ['a.*'], since: isoTime(START + 1000) }, ['a.c/d']],
  ])('select by %s', (_title, filter, expected) => {
    addTyped('a.b', 'a.c/d', 'x[1]?');
    expect(typesOf(filter)).toEqual(expected);
    expect(corpus.count(filter)).toBe(expected.length);
  });

  it('select by provider, tag and resource', () => {
    corpus.add([
      event({ type: '1', provider: 'stripe', tags: ['bug', 'late'], resource: 'in_1' }),
      event({ type: '2', provider: 'svix', tags: ['late'] }),
    ]);
    expect(typesOf({ providers: ['s*x'] })).toEqual(['2']);
    expect(typesOf({ tags: ['bug'] })).toEqual(['1']);
    expect(typesOf({ tags: ['bug', 'late'] })).toEqual(['1', '2']);
    expect(typesOf({ resource: 'in_1' })).toEqual(['1']);
  });
});

describe('pages', () => {
  it.each([12, 150])('of several types among %i are in order of time and miss none', (kinds) => {
    const typeOf = (at: number) => (at % 11 === 0 ? undefined : `${at % 2 ? 'odd' : 'even'}.${(at * 7) % kinds}*`);
    const ids = corpus
      .add(Array.from({ length: 600 }, (_, at) => event({ type: typeOf(at), receivedAt: isoTime(START + (at >> 2)) })))
      .map(({ id }) => id);
    const wanted = (glob: RegExp) => ids.filter((_, at) => glob.test(typeOf(at) ?? ''));
    for (const [types, glob] of [
      [['odd.*'], /^odd/],
      [['*.1*', 'even.2*'], /\.1|^even\.2/],
      [['*'], /./],
    ] as const) {
      for (const order of ['oldest-first', 'newest-first'] as const) {
        const seen: string[] = [];
        for (let page = corpus.list({ types }, { limit: 50, order }); page.length > 0; ) {
          seen.push(...page.map(({ id }) => id));
          page = corpus.list({ types }, { limit: 50, order, after: seen.at(-1) });
        }
        const all = wanted(glob);
        expect(seen).toEqual(order === 'oldest-first' ? all : all.toReversed());
      }
    }
  });

  it('walk through all events once, also those of one millisecond', () => {
    corpus.add(
      Array.from({ length: 25 }, (_, at) => event({ type: String(at), receivedAt: isoTime(START + (at >> 3)) })),
    );
    for (const order of ['newest-first', 'oldest-first'] as const) {
      const seen: (string | undefined)[] = [];
      let after: string | undefined;
      do {
        const page = corpus.list({}, { limit: 4, order, after });
        seen.push(...page.map(({ type }) => type));
        after = page.at(-1)?.id;
      } while (after !== undefined);
      const expected = Array.from({ length: 25 }, (_, at) => String(at));
      expect(seen).toEqual(order === 'oldest-first' ? expected : expected.reverse());
    }
  });

  it('refuse to continue behind an unknown event', () => {
    expect(() => corpus.list({}, { limit: 1, order: 'newest-first', after: 'nope' })).toThrow(/no event "nope"/);
  });
});

describe('changes', () => {
  it('adds and removes tags, once each', () => {
    const [id = ''] = addTyped('a');
    corpus.tag([id], { add: ['x', 'y'], remove: [] });
    corpus.tag([id], { add: ['x'], remove: ['y', 'never-there'] });
    expect(corpus.get(id)?.tags).toEqual(['x']);
  });

  it('notes what the sender was told', () => {
    const [id = ''] = addTyped('a');
    const answer = { kind: 'not-delivered', reason: 'refused', tookMs: 1 } as const;
    corpus.answered([{ id, answer }]);
    expect(corpus.list({}, { limit: 1, order: 'newest-first' })[0]?.answer).toEqual(answer);
  });

  it('removes events with their tags and says how many there were', () => {
    const [a = '', b = ''] = addTyped('a', 'b');
    corpus.tag([a], { add: ['x'], remove: [] });
    expect(corpus.remove([a, a, 'unknown'])).toBe(1);
    expect(corpus.list({}, { limit: 9, order: 'newest-first' }).map(({ id }) => id)).toEqual([b]);
    expect(corpus.count({ tags: ['x'] })).toBe(0);
  });
});
