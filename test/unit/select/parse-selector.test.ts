import { describe, expect, it } from 'vitest';
import { parseSelector } from '../../../src/select/parse-selector.ts';

const files = new Set(['events/a.http', 'b.jsonl', './c', 'C:\\d.http', 'type:x/y']);
const parse = (text: string) => parseSelector(text, (path) => files.has(path));

describe('parseSelector', () => {
  it.each([
    ['Xt9Kp2', { kind: 'id', id: 'Xt9Kp2' }],
    ['evt_1NqX', { kind: 'id', id: 'evt_1NqX' }],
    ['72d3162e-cc78-11e3-81ab-4c9367dc0958', { kind: 'id', id: '72d3162e-cc78-11e3-81ab-4c9367dc0958' }],
    ['urn:uuid:1', { kind: 'id', id: 'urn:uuid:1' }],
    ['not/a/file.http', { kind: 'id', id: 'not/a/file.http' }],
    ['last', { kind: 'last', count: 1 }],
    ['last:5', { kind: 'last', count: 5 }],
    ['@bug', { kind: 'tag', glob: 'bug' }],
    ['type:invoice.*', { kind: 'type', glob: 'invoice.*' }],
    ['type:a:b', { kind: 'type', glob: 'a:b' }],
    ['provider:stripe', { kind: 'provider', glob: 'stripe' }],
    ['events/a.http', { kind: 'file', path: 'events/a.http' }],
    ['b.jsonl', { kind: 'file', path: 'b.jsonl' }],
    ['./c', { kind: 'file', path: './c' }],
    ['C:\\d.http', { kind: 'file', path: 'C:\\d.http' }],
    ['fixture:stripe/payment_intent.succeeded', { kind: 'fixture', name: 'stripe/payment_intent.succeeded' }],
    ['run:Xt9Kp2', { kind: 'run', id: 'Xt9Kp2' }],
    ['finding:Xt9Kp2', { kind: 'finding', id: 'Xt9Kp2' }],
  ])('%s', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it.each([
    ['typ:invoice.*', 'Did you mean "type:invoice.*"?'],
    ['Provider:stripe', 'Did you mean "provider:stripe"?'],
    ['fixtures:a', 'Did you mean "fixture:a"?'],
    ['last:0', 'Write "last", or "last:5" for the newest five.'],
    ['last:x', 'Write "last", or "last:5" for the newest five.'],
    ['invoice.*', 'For a type, write "type:invoice.*".'],
    ['type:', 'Say what follows, for example "type:invoice.*".'],
    ['run:', 'Say what follows, for example "run:Xt9Kp2".'],
    ['@', expect.stringContaining('An event is named by an id')],
    ['', expect.stringContaining('An event is named by an id')],
    ['two words', expect.stringContaining('An event is named by an id')],
  ])('%j is refused with a suggestion', (text, hint) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'BAD_SELECTOR', hint }));
  });
});
