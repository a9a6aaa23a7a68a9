import { describe, expect, it } from 'vitest';
import {
  moveCommand,
  moveEffect,
  movePath,
  movePathBehind,
  moveReport,
  moveSecret,
} from '../../../src/commands/move-value.ts';

const UP = { folder: '/project', cwd: '/project/sub' };
const HERE = { folder: '/project', cwd: '/project' };

describe('a value of a config file further up', () => {
  it.each([
    ['app.db', '../app.db'],
    ['./data/app.db', '../data/app.db'],
    ['sub/app.db', 'app.db'],
    ['/var/app.db', '/var/app.db'],
  ])('has its path %s meant from here', (path, moved) => {
    expect(movePath(path, UP)).toBe(moved);
  });

  it.each([
    ['sqlite:app.db#orders', 'sqlite:../app.db#orders'],
    ['shop=sqlite:app.db', 'shop=sqlite:../app.db'],
    ['exec:./count.sh a', 'exec:cd /project && ./count.sh a'],
    ['jobs=exec:./count.sh', 'jobs=exec:cd /project && ./count.sh'],
    ['http://localhost:3000/orders', 'http://localhost:3000/orders'],
    ['spy:4000', 'spy:4000'],
    ['sqlite:///var/app.db', 'sqlite:///var/app.db'],
  ])('observes %s where it stands', (effect, moved) => {
    expect(moveEffect(effect, UP)).toBe(moved);
  });

  it.each([
    ['file:secret.txt', 'file:../secret.txt'],
    ['cmd:op read x', 'cmd:cd /project && op read x'],
    ['env:NAME', 'env:NAME'],
  ])('reads the secret %s where it is kept', (secret, moved) => {
    expect(moveSecret(secret, UP)).toBe(moved);
  });

  it.each([
    ['junit=out/junit.xml', 'junit=../out/junit.xml'],
    ['json=-', 'json=-'],
    ['pretty', 'pretty'],
  ])('writes the report %s beside it', (report, moved) => {
    expect(moveReport(report, UP)).toBe(moved);
  });

  it('leaves alone what names no file', () => {
    expect(movePathBehind('@')('{"header":"X"}', UP)).toBe('{"header":"X"}');
    expect(movePathBehind('@')('@scheme.json', UP)).toBe('@../scheme.json');
  });

  it('is taken as it stands when the file is in the working folder', () => {
    const moved = [movePath('./a.db', HERE), moveCommand('./run', HERE), moveEffect('sqlite:./a.db', HERE)];
    expect(moved).toEqual(['./a.db', './run', 'sqlite:./a.db']);
  });
});
