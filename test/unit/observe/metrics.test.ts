import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { effectsOf, openSource, shortly } from '../../support/probes.ts';

/** Serves whatever text it holds at the moment. */
async function serve(text: string) {
  const page = { text, accept: '' };
  const server = createServer((request, response) => {
    page.accept = request.headers.accept ?? '';
    response.end(page.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `metrics+http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
  return { page, url };
}

async function rowsOf(text: string, names: string) {
  const { url } = await serve(text);
  const { collections } = await (await openSource(`${url}#${names}`)).read();
  return Object.fromEntries(collections.map(({ name, rows }) => [name, rows.map(({ key, cells }) => [key, cells])]));
}

const HISTOGRAM = `# HELP seconds How long.
# TYPE seconds histogram
seconds_bucket{le="0.1"} 3
seconds_bucket{le="+Inf"} 4
seconds_sum 0.52
seconds_count 4
seconds_created 1.7e9
`;

describe('metrics', () => {
  it('shows each set of labels as a row whose value grows', async () => {
    const { page, url } = await serve('orders_total{status="ok"} 1\nother 1\n');
    const effects = await effectsOf(await openSource(`${url}#orders_total`), () => {
      page.text = 'orders_total{status="ok"} 3\norders_total{status="bad"} 1\nother 2\n';
    });
    expect(page.accept).toContain('text/plain');
    expect(shortly(effects)).toEqual(['changed orders_total {status="ok"}', 'added orders_total {status="bad"}']);
    expect(effects[0]).toMatchObject({ before: { value: 1 }, after: { value: 3 } });
  });

  it.each([
    ['a 1', { a: [['a', { value: 1 }]] }],
    ['a{} 1.5 1700000000000', { a: [['a', { value: 1.5 }]] }],
    ['a 12345678901234567890', { a: [['a', { value: 12345678901234567890n }]] }],
    ['a NaN', { a: [['a', { value: 'NaN' }]] }],
    [
      'a{x="1"} +Inf\na{x="2"} -inf',
      {
        a: [
          ['{x="1"}', { x: '1', value: '+Inf' }],
          ['{x="2"}', { x: '2', value: '-Inf' }],
        ],
      },
    ],
    [
      'a{z="1",b="}\\"{, \\\\ \\n",} 2',
      { a: [['{b="}\\"{, \\\\ \\n",z="1"}', { b: '}"{, \\ \n', z: '1', value: 2 }]] },
    ],
    ['a{x="1"} 5 # {trace_id="abc"} 0.67 1700000000.1\n# EOF', { a: [['{x="1"}', { x: '1', value: 5 }]] }],
    ['{"a",x="1"} 5', { a: [['{x="1"}', { x: '1', value: 5 }]] }],
  ])('reads %j', async (text, expected) => {
    expect(await rowsOf(`# just a comment\n\n${text}\n`, 'a')).toEqual(expected);
  });

  it('takes count and sum of a histogram by its name, its buckets by theirs', async () => {
    expect(Object.keys(await rowsOf(HISTOGRAM, 'seconds'))).toEqual(['seconds_sum', 'seconds_count']);
    expect(Object.keys(await rowsOf(HISTOGRAM, 'sec*'))).toEqual(['seconds_sum', 'seconds_count']);
    expect(await rowsOf(HISTOGRAM, 'seconds_bucket')).toEqual({
      seconds_bucket: [
        ['{le="0.1"}', { le: '0.1', value: 3 }],
        ['{le="+Inf"}', { le: '+Inf', value: 4 }],
      ],
    });
  });

  it('takes count and sum of a summary by its name, its quantiles not', async () => {
    const text = '# TYPE s summary\ns{quantile="0.5"} 0.1\ns_sum 0.3\ns_count 3\n';
    expect(Object.keys(await rowsOf(text, 's_*,s'))).toEqual(['s', 's_sum', 's_count']);
    expect(Object.keys(await rowsOf(text, 's*'))).toEqual(['s_sum', 's_count']);
  });

  it.each(['<html></html>', 'a', 'a{x=1} 1', 'a{x="1" 1', '{"json": 1}'])(
    'says that %j is no metrics',
    async (text) => {
      const { url } = await serve(text);
      await expect(openSource(`${url}#a`)).rejects.toMatchObject({
        exitCode: 3,
        message: expect.stringContaining('gave no metrics: line 1 is "'),
      });
    },
  );

  it('says which server is not there', async () => {
    await expect(openSource('metrics+http://ann:hunter2@127.0.0.1:1/metrics#a')).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(
        /^"metrics\+http:\/\/\*\*\*@127\.0\.0\.1:1\/metrics#a" cannot be read: .*ECONNREFUSED/,
      ),
    });
  });
});
