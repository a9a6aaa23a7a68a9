import { Chalk } from 'chalk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../../src/model/run.ts';
import type { Look } from '../../../src/report/reporter.ts';
import { github } from '../../../src/report/reporters/github.ts';
import { json } from '../../../src/report/reporters/json.ts';
import { junit } from '../../../src/report/reporters/junit.ts';
import { cutAtLine, markdownReport } from '../../../src/report/reporters/markdown.ts';
import { ndjson } from '../../../src/report/reporters/ndjson.ts';
import { REPORTERS } from '../../../src/report/reporters.ts';
import { junitTroubles, readXml } from './junit-rules.ts';
import { ALL, FAILED, FINDING, PASSED, REPLAYED, run, runOf, SKIPPED, trial, UNCLEAR } from './runs.ts';

const LOOK: Look = {
  style: { paint: new Chalk({ level: 0 }), width: 0, unicode: true },
  version: '0.0.0',
  quiet: false,
};

const RUNS: ReadonlyArray<readonly [string, Run]> = [
  ['a pass', run([PASSED], { verdict: 'pass' })],
  ['a fail with two findings', run([FAILED])],
  ['what could not be told', run([UNCLEAR], { verdict: 'inconclusive' })],
  ['a skip', run([SKIPPED], { verdict: 'inconclusive' })],
  ['all of them', ALL],
  ['a replay that was judged again', REPLAYED],
  ['a suite played twice', run([PASSED, FAILED, PASSED, FAILED])],
  ['nothing', run([], { verdict: 'inconclusive' })],
];

/** Control characters, halves of pairs, and what XML, Markdown and workflow commands take for their own. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    ']]>',
    '::error::x',
    '%0A',
    '```\n````',
    '\u0000\u001b[31m',
    '\ud800',
    '\uffff',
    'a|b\r\nc',
    '<b>&"\'',
  ),
);

describe.each(REPORTERS)('the reporter "$name"', (reporter) => {
  it.each(RUNS)('tells %s', (_name, told) => {
    const text = reporter.render(told, LOOK);
    expect(text === '' || text.endsWith('\n')).toBe(true);
    expect(text).not.toMatch(/undefined|NaN|\[object/);
  });

  it('lets no control character through, whatever a receiver says', () => {
    if (reporter.name === 'pretty') return;
    fc.assert(
      fc.property(anyText, (text) => {
        expect([...reporter.render(runOf(text), LOOK)].filter(isControl)).toEqual([]);
      }),
    );
  });
});

describe('json', () => {
  it('has every finding with the line that repeats it', () => {
    const document = JSON.parse(json.render(ALL, LOOK));
    expect(document).toMatchObject({
      schema: 'webhook-replay/report/1',
      tool: { name: 'webhook-replay', version: '0.0.0' },
      run: { id: 'Xt9Kp2', command: 'test', seed: 7 },
      summary: { pass: 1, fail: 1, inconclusive: 1, skip: 1 },
      verdict: 'fail',
    });
    expect(document.trials[1].findings[0]).toMatchObject({
      check: 'no-second-effect',
      reproduce:
        "webhook-replay test last --to 3000 --effect 'sqlite:app.db#orders' --only duplicate.concurrent --seed 7",
    });
  });

  it('is read back as it was told, whatever a receiver says', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(JSON.parse(json.render(runOf(text), LOOK)).trials[0].findings[0].title).toBe(text);
      }),
    );
  });
});

describe('ndjson', () => {
  it('numbers what happens, leaves out bodies and headers, and ends with the report', () => {
    const line = ndjson.stream?.('0.0.0') ?? (() => '');
    const plan = { pattern: 'once', seed: 7, steps: [], reorders: false, concurrency: 1 };
    const attempt = {
      ...{ number: 1, step: 's1', event: 'e', round: 'round-1', copy: 1, attempt: 1 },
      times: { plannedMs: 0, sentMs: 1, doneMs: 2 },
      outcome: {
        kind: 'response' as const,
        status: 200,
        headers: [['A', 'topsecret'] as const],
        body: Buffer.from('topsecret'),
      },
    };
    const lines = [
      line({ kind: 'planned', plan, rounds: 20 }),
      line({ kind: 'phase', phase: 'baseline-1', text: 'Baseline', deliveries: 1 }),
      line({ kind: 'attempted', attempt, label: 'evt_1', copies: 2 }),
      line({ kind: 'judged', trial: PASSED }),
      line({ kind: 'finished', run: ALL }),
    ];
    expect(lines.join('')).not.toContain('topsecret');
    const documents = lines.map((text) => JSON.parse(text));
    expect(documents.map(({ schema, type, seq }) => [schema, type, seq])).toEqual(
      ['planned', 'phase', 'attempted', 'judged', 'finished'].map((type, at) => [
        'webhook-replay/progress/1',
        type,
        at + 1,
      ]),
    );
    expect(documents[0]).toMatchObject({ pattern: 'once', deliveries: 0, rounds: 20 });
    expect(documents[2].attempt).toMatchObject({ number: 1, outcome: { kind: 'response', status: 200 } });
    expect(documents[4].report).toEqual(JSON.parse(json.render(ALL, LOOK)));
  });

  it('has one line for each thing, whatever a receiver says', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(ndjson.render(runOf(text), LOOK).match(/\n/g)).toHaveLength(1);
      }),
    );
  });
});

describe('junit', () => {
  it.each(RUNS)('is what GitLab and Jenkins read: %s', (_name, told) => {
    expect(junitTroubles(readXml(junit.render(told, LOOK)))).toEqual([]);
  });

  it('is so whatever a receiver says, and says it to the last character that XML can hold', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const root = readXml(junit.render(runOf(text), LOOK));
        expect(junitTroubles(root)).toEqual([]);
      }),
    );
    const [suite] = readXml(junit.render(runOf('a ]]> b <i> & "c"'), LOOK)).children.filter(
      ({ name }) => name === 'testsuite',
    );
    const [first] = suite?.children.filter(({ name }) => name === 'testcase') ?? [];
    expect(first?.children.find(({ name }) => name === 'failure')?.text).toContain('a ]]> b <i> & "c"');
  });

  it('makes a fail a failure, what could not be told an error, and the rest skipped', () => {
    const [suite] = readXml(junit.render(ALL, LOOK)).children.filter(({ name }) => name === 'testsuite');
    const results = suite?.children
      .filter(({ name }) => name === 'testcase')
      .map(({ attributes, children }) => [
        attributes['name'],
        children.map(({ name }) => name).filter((name) => !['#text', 'system-out'].includes(name)),
      ]);
    expect(results).toEqual([
      ['duplicate.sequential', []],
      ['duplicate.concurrent', ['failure']],
      ['retry.after-reset', ['error']],
      ['duplicate.after-restart', ['skipped']],
      ['auth.rotated', ['skipped']],
    ]);
  });

  it.each([
    ['all was skipped', run([SKIPPED], { verdict: 'inconclusive', strict: true })],
    ['there was nothing', run([], { verdict: 'inconclusive' })],
  ])('is broken when %s and the run is no pass', (_name, told) => {
    const xml = junit.render(told, LOOK);
    expect(xml).toContain('errors="1"');
    expect(junit.render({ ...told, verdict: 'pass' }, LOOK)).toContain('errors="0"');
  });

  it('stays as it is', async () => {
    await expect(junit.render(ALL, LOOK)).toMatchFileSnapshot('golden/all.xml');
  });
});

describe('github', () => {
  const failed = (count: number) =>
    run(Array.from({ length: count }, (_, at) => trial(`t${at}`, 'fail', { findings: [FINDING, FINDING] })));

  it('shows the first finding of each failed trial, then what could not be told, then the rest, then warnings', () => {
    const titles = github
      .render(ALL, LOOK)
      .trimEnd()
      .split('\n')
      .map((line) => /^::(\w+) title=([^:]*)::/.exec(line)?.slice(1).join(' '));
    expect(titles).toEqual([
      'error webhook-replay%3A duplicate.concurrent no-second-effect',
      'error webhook-replay%3A retry.after-reset inconclusive',
      'error webhook-replay%3A duplicate.concurrent newest-wins',
      'warning webhook-replay%3A duplicate.sequential',
    ]);
  });

  it('shows ten errors and ten warnings at most, the last of them saying how many more there are', () => {
    expect(github.render(failed(5), LOOK).match(/^::error /gm)).toHaveLength(10);
    expect(github.render(failed(5), LOOK)).not.toContain('more errors');
    const lines = github.render(failed(12), LOOK).trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toContain('15 more errors');
    const warned = run([trial('t', 'pass', { warnings: Array.from({ length: 11 }, (_, at) => `w${at}`) })]);
    expect(github.render(warned, LOOK).match(/^::warning /gm)).toHaveLength(10);
    expect(github.render(warned, LOOK)).toContain('2 more warnings');
  });

  it('is only workflow commands, one a line, whatever a receiver says', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const line of github.render(runOf(text), LOOK).trimEnd().split('\n'))
          expect(line).toMatch(/^::(?:error|warning) title=[^:,\r\n]*::[^\r\n]*$/);
      }),
    );
    expect(github.render(runOf('50% off\nnow'), LOOK)).toContain(
      'warning title=webhook-replay%3A duplicate.sequential::50%25 off%0Anow',
    );
  });
});

describe('markdown', () => {
  it('stays as it is', async () => {
    await expect(markdownReport(ALL)).toMatchFileSnapshot('golden/all.md');
  });

  it('has a table of one row a trial and closed blocks of code, whatever a receiver says', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const report = markdownReport(runOf(text));
        expect(report.match(/^\| [^|\n]+ \| [^|\n]+ \| [^|\n]* \|$/gm)).toHaveLength(3);
        expect(isClosed(report)).toBe(true);
      }),
    );
  });
});

describe('a summary that is too long', () => {
  it('is cut at a line, says so, and leaves no block of code open', () => {
    const report = markdownReport(run([FAILED, { ...FAILED, id: 'b' }, { ...FAILED, id: 'c' }]));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: report.length + 100 }), (mostBytes) => {
        const cut = cutAtLine(report, mostBytes);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(mostBytes);
        expect(isClosed(cut)).toBe(true);
        if (cut === report || cut === '') return;
        expect(cut).toContain('The rest was left out');
        const kept = cut.split('\n').slice(0, 3).filter(Boolean);
        expect(report.split('\n').slice(0, 3)).toEqual(expect.arrayContaining(kept.slice(0, 1)));
      }),
    );
    expect(cutAtLine(report, 1_000_000)).toBe(report);
    expect(cutAtLine(report, 3000)).toContain('### duplicate');
  });
});

function isControl(char: string): boolean {
  return char < ' ' && char !== '\n' && char !== '\t';
}

/** Every fence is followed by one of the same length. */
function isClosed(text: string): boolean {
  let fence = '';
  for (const line of text.split('\n')) {
    const mark = /^`{3,}/.exec(line)?.[0] ?? '';
    if (mark === '') continue;
    if (fence === '') fence = mark;
    else if (line === fence) fence = '';
  }
  return fence === '';
}
