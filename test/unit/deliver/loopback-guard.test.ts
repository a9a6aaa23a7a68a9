import { describe, expect, it } from 'vitest';
import { guardHost, isLoopback } from '../../../src/deliver/loopback-guard.ts';

describe('isLoopback', () => {
  it.each([
    'http://localhost:3000',
    'http://LOCALHOST.',
    'http://app.localhost',
    'http://127.0.0.1',
    'http://127.8.9.10',
    'http://2130706433',
    'http://0.0.0.0:3000',
    'http://[::1]:3000',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
  ])('%s stays on this machine', (url) => {
    expect(isLoopback(new URL(url))).toBe(true);
  });

  it.each([
    'http://example.test',
    'http://localhost.example.test',
    'http://notlocalhost',
    'http://127.0.0.1.example.test',
    'http://128.0.0.1',
    'http://192.168.0.1',
    'http://[::2]',
    'http://[::ffff:10.0.0.1]',
  ])('%s may leave this machine', (url) => {
    expect(isLoopback(new URL(url))).toBe(false);
  });
});

describe('guardHost', () => {
  it('names the flag that would allow another host', () => {
    expect(() => guardHost(new URL('https://staging.test/hooks'), [])).toThrow('"staging.test" is not on this machine');
    try {
      guardHost(new URL('https://staging.test:8443/hooks'), []);
    } catch (error) {
      expect((error as { hint: string }).hint).toContain('--allow-host staging.test');
    }
  });

  it.each([
    ['https://staging.test/hooks', ['staging.test']],
    ['https://staging.test/hooks', ['STAGING.test']],
    ['https://staging.test:8443/hooks', ['staging.test:8443']],
    ['http://[2001:db8::1]/', ['2001:db8::1']],
    ['http://localhost:3000', []],
  ])('lets %s pass when %s is allowed', (url, allowed) => {
    expect(() => guardHost(new URL(url), allowed)).not.toThrow();
  });

  it.each([
    ['https://staging.test/hooks', ['test', '*.test', 'other.test']],
    ['https://staging.test:8443/', ['staging.test:443']],
    ['https://evil-staging.test/', ['staging.test']],
  ])('keeps %s out when only %s is allowed', (url, allowed) => {
    expect(() => guardHost(new URL(url), allowed)).toThrow();
  });
});
