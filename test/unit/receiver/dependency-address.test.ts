import { describe, expect, it } from 'vitest';
import { readDependency } from '../../../src/receiver/intercept/dependency-address.ts';

describe('an address of a dependency', () => {
  it.each([
    [
      'postgres://app:p%40ss@db.internal:6543/shop?sslmode=disable',
      'db.internal',
      6543,
      'postgres://app:p%40ss@127.0.0.1:9/shop?sslmode=disable',
    ],
    ['postgresql://localhost/shop', 'localhost', 5432, 'postgresql://127.0.0.1:9/shop'],
    ['mysql://root@[::1]/shop', '::1', 3306, 'mysql://root@127.0.0.1:9/shop'],
    ['redis://:secret@cache', 'cache', 6379, 'redis://:secret@127.0.0.1:9'],
    ['amqp://guest:guest@mq/%2f', 'mq', 5672, 'amqp://guest:guest@127.0.0.1:9/%2f'],
    ['smtp://mail', 'mail', 25, 'smtp://127.0.0.1:9'],
    ['http://api.test/v1/?a=b#c', 'api.test', 80, 'http://127.0.0.1:9/v1/?a=b#c'],
    ['postgresql+asyncpg://u:p@db/x', 'db', 5432, 'postgresql+asyncpg://u:p@127.0.0.1:9/x'],
    ['cache.internal:7000', 'cache.internal', 7000, '127.0.0.1:9'],
  ])('%s keeps all but host and port', (value, host, port, rewritten) => {
    const dependency = readDependency('URL', { URL: value });
    expect(dependency).toMatchObject({ name: 'URL', host, port });
    expect(dependency.rewrite(9)).toBe(rewritten);
    expect(readDependency(`URL=${value}`, {}).rewrite(9)).toBe(rewritten);
  });

  it.each([
    ['URL', {}, /not set/],
    ['URL', { URL: '' }, /not set/],
    ['URL', { URL: 'postgres://a:1,b:2/db' }, /no single host/],
    ['URL', { URL: 'postgres:///db?host=/run' }, /no single host/],
    ['URL', { URL: 'foo://host' }, /says no port/],
    ['postgres://x', {}, /no environment variable/],
  ])('%s with %j is refused', (text, env, message) => {
    expect(() => readDependency(text, env as Record<string, string>)).toThrow(message);
  });

  it('never repeats the value in a message', () => {
    expect(() => readDependency('URL', { URL: 'postgres://u:hunter22@a,b/db' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter22') }),
    );
  });
});
