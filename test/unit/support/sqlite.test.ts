import { describe, expect, it } from 'vitest';
import { bindingProblem, type DriverFacts, driverProblem, loadSqlite } from '../../../src/support/sqlite.ts';

describe('driverProblem', () => {
  it.each<[DriverFacts, RegExp | undefined]>([
    [{ version: '12.11.1', node: '20.20.2', napi: 9 }, undefined],
    [{ version: '12.11.1', node: '24.0.0', napi: 10 }, undefined],
    [{ version: '13.2.0', node: '24.0.0', napi: 10 }, undefined],
    [{ version: '13.2.0', node: '22.14.0', napi: 10 }, undefined],
    [{ version: '13.2.0', node: '22.13.1', napi: 9 }, /13\.2\.0 needs Node 22\.14 or newer; this is Node 22\.13\.1/],
    [{ version: '13.2.0', node: '20.20.2', napi: 9 }, /needs Node 22\.14/],
    [{ version: '14.0.0', node: '20.20.2', napi: 9 }, /needs Node 22\.14/],
    [{ version: undefined, node: '20.20.2', napi: 9 }, /is not installed/],
  ])('%j', (facts, message) => {
    const problem = driverProblem(facts);
    if (message === undefined) expect(problem).toBeUndefined();
    else expect(problem?.message).toMatch(message);
  });
});

describe('bindingProblem', () => {
  it.each([
    ['Could not locate the bindings file. Tried: ...', /compiled part is missing/, /npm rebuild/],
    [
      'The module was compiled against a different Node.js version using NODE_MODULE_VERSION 127.',
      /another Node/,
      /rebuild/,
    ],
    ['libstdc++.so.6: cannot open shared object file', /could not be loaded: libstdc/, /rebuild/],
  ])('%s', (text, message, hint) => {
    const problem = bindingProblem(new Error(text));
    expect(problem.message).toMatch(message);
    expect(problem.hint).toMatch(hint);
    expect(problem.exitCode).toBe(2);
  });
});

describe('loadSqlite', () => {
  it('loads the driver that is installed here', () => {
    const db = new (loadSqlite())(':memory:');
    expect(db.prepare('SELECT 1 + 1').pluck().get()).toBe(2);
    db.close();
  });
});
