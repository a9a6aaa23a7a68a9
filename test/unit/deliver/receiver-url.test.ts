import { describe, expect, it } from 'vitest';
import { parseReceiver, requestTarget, requestUrl } from '../../../src/deliver/receiver-url.ts';
import type { UserError } from '../../../src/support/errors.ts';

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as UserError).code;
  }
  return 'nothing thrown';
}

describe('parseReceiver', () => {
  it.each([
    ['3000', 'http://localhost:3000', null, null],
    [':3000', 'http://localhost:3000', null, null],
    ['3000/hooks', 'http://localhost:3000', '/hooks', null],
    ['3000?a=1', 'http://localhost:3000', null, 'a=1'],
    ['localhost:3000/hooks', 'http://localhost:3000', '/hooks', null],
    ['app.test', 'http://app.test', null, null],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000', null, null],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000', '/', null],
    ['http://127.1:3000/', 'http://127.0.0.1:3000', '/', null],
    ['HTTPS://App.Test:443/Hooks', 'https://app.test', '/Hooks', null],
    ['[::1]:3000/x', 'http://[::1]:3000', '/x', null],
    ['http://h.test/a//b/../c%2Fd%2f/?x=%2f&x=2#frag', 'http://h.test', '/a//b/../c%2Fd%2f/', 'x=%2f&x=2'],
    ['http://h.test/a?', 'http://h.test', '/a', ''],
    ['http://h.test/a?b=?c', 'http://h.test', '/a', 'b=?c'],
    ['http://h.test/hök', 'http://h.test', '/h%C3%B6k', null],
  ])('reads "%s"', (...[text, origin, path, query]) => {
    expect(parseReceiver(text)).toMatchObject({ origin, path, query });
  });

  it.each([
    ['', 'RECEIVER_URL'],
    ['http://', 'RECEIVER_URL'],
    ['http:///hooks', 'RECEIVER_URL'],
    ['localhost:', 'RECEIVER_URL'],
    ['localhost:0', 'RECEIVER_URL'],
    ['localhost:70000', 'RECEIVER_URL'],
    ['70000', 'RECEIVER_URL'],
    ['localhost: 3000', 'RECEIVER_URL'],
    ['http://localhost\\@elsewhere.test/', 'RECEIVER_URL'],
    ['ftp://localhost/hooks', 'RECEIVER_SCHEME'],
    ['http://user:hunter22@localhost:3000', 'RECEIVER_CREDENTIALS'],
    ['user@localhost:3000', 'RECEIVER_CREDENTIALS'],
    ['/hooks', 'RECEIVER_WITHOUT_HOST'],
    ['C:/Program Files/Git/hooks', 'MANGLED_PATH'],
    ['D:\\hooks', 'MANGLED_PATH'],
    ['http://localhost:3000/C:/Program Files/Git/hooks', 'MANGLED_PATH'],
  ])('refuses "%s" with %s', (text, code) => {
    expect(codeOf(() => parseReceiver(text))).toBe(code);
  });

  it('never repeats a password in its message', () => {
    expect(() => parseReceiver('http://user:hunter22@localhost:3000')).not.toThrow(/hunter22/);
  });
});

describe('requestTarget', () => {
  it.each([
    ['3000', '/stripe', null, '/stripe'],
    ['3000', '/stripe/', null, '/stripe/'],
    ['3000', '/a//b/../c', 'x=%2f', '/a//b/../c?x=%2f'],
    ['3000', '/', '', '/?'],
    ['3000/', '/stripe', null, '/'],
    ['3000/hooks', '/stripe', 'a=1&a=2', '/hooks?a=1&a=2'],
    ['3000/hooks/', '/stripe', null, '/hooks/'],
    ['3000/hooks?token=t', '/stripe', 'a=1&token=u', '/hooks?token=t&a=1&token=u'],
    ['3000/hooks?token=t', '/stripe', '', '/hooks?token=t'],
    ['3000?token=t', '/stripe%2Fx', 'a', '/stripe%2Fx?token=t&a'],
    ['3000/hooks?', '/stripe', null, '/hooks?'],
    ['3000/hooks#frag', '/stripe', 'a=1', '/hooks?a=1'],
    ['3000', 'http://captured.test/p/q', null, '/p/q'],
    ['3000', 'hooks', null, '/hooks'],
  ])('--to %s with path %s and query %s goes to %s', (...[to, path, query, expected]) => {
    expect(requestTarget(parseReceiver(to), path, query)).toBe(expected);
  });

  it('gives the absolute URL that a signature may cover', () => {
    const receiver = parseReceiver('https://h.test:8443/hooks');
    expect(requestUrl(receiver, requestTarget(receiver, '/', 'a=%2f')).href).toBe('https://h.test:8443/hooks?a=%2f');
  });
});
