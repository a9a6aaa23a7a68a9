import { describe, expect, it } from 'vitest';
import { detectFormat, FORMATS, findFormat } from '../../../src/formats/list.ts';

describe('detectFormat', () => {
  it.each([
    ['POST /a HTTP/1.1\r\nHost: a\r\n\r\n', 'x.txt', 'http'],
    ['{"schema":"webhook-replay/event/1","id":"a"}', '-', 'jsonl'],
    ['{"body":"a"}', 'dump.JSONL', 'jsonl'],
    ['{"body":"a"}', 'dump.ndjson', 'jsonl'],
    ['curl http://a.test', '-', 'curl'],
    ['# a note\n\n$ curl http://a.test', 'paste.txt', 'curl'],
    ['{"id":"evt_1"}', 'event.json', 'body'],
    ['a=1&b=2', '-', 'body'],
    ['', 'empty', 'body'],
  ])('takes %j in %s for %s', (text, name, ...[id]) => {
    expect(detectFormat(Buffer.from(text), name).id).toBe(id);
  });
});

describe('findFormat', () => {
  it.each(FORMATS.map(({ id }) => id))('knows %s', (id) => {
    expect(findFormat(id).id).toBe(id);
  });

  it('suggests what was probably meant', () => {
    expect(() => findFormat('json')).toThrow(expect.objectContaining({ hint: 'Did you mean jsonl?' }));
    expect(() => findFormat('postman')).toThrow(/no format called "postman"/);
  });
});
