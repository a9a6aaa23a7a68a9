import { describe, expect, it } from 'vitest';
import { viewPayload } from '../../../src/providers/payload-view.ts';
import { bodyRequest } from '../../support/requests.ts';

describe('viewPayload', () => {
  it('does not see what every object inherits', () => {
    const view = viewPayload(bodyRequest('{"a":{}}'));
    expect(view.has('/constructor')).toBe(false);
    expect(view.text('/a/constructor/name')).toBeUndefined();
  });

  it('follows pointers with escapes and into lists', () => {
    const view = viewPayload(bodyRequest('{"a/b":{"~1":["x","y"]}}'));
    expect(view.text('/a~1b/~01/1')).toBe('y');
  });

  it('tells null from nothing', () => {
    const view = viewPayload(bodyRequest('{"a":null}'));
    expect([view.has('/a'), view.has('/b'), view.text('/a')]).toEqual([true, false, undefined]);
  });

  it('sees the fields of a form that has no JSON in it, the first of each name', () => {
    const form = [['Content-Type', 'application/x-www-form-urlencoded; charset=utf-8']] as const;
    const view = viewPayload(bodyRequest('id=1&id=2&payload=none', form));
    expect([view.text('/id'), view.text('/payload')]).toEqual(['1', 'none']);
  });
});
