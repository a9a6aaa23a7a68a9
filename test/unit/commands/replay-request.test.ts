import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/commands/context.ts';
import { REPLAY_DEFAULTS } from '../../../src/commands/replay-flags.ts';
import { readReplayRequest } from '../../../src/commands/replay-request.ts';
import type { WebhookEvent } from '../../../src/model/event.ts';
import { createRedactor } from '../../../src/support/redact.ts';

const context = { cwd: '/', redactor: createRedactor() } as Partial<Context> as Context;
const event = {
  id: 'evt_1',
  headers: [
    ['Cookie', 'a=b'],
    ['Authorization', 'Bearer x'],
    ['X-Id', '1'],
  ],
};
const events = [event, event] as unknown as WebhookEvent[];

function warnings(flags: { readonly to: string; readonly allowHeader?: readonly string[] }): readonly string[] {
  const options = { ...REPLAY_DEFAULTS, ...flags };
  return readReplayRequest({ selectors: [], events, options, context }).warnings;
}

describe('captured credentials', () => {
  it('stay behind with a word about each, once, when the receiver is elsewhere', () => {
    expect(warnings({ to: 'https://shop.example/hooks', allowHeader: ['cookie'] })).toEqual([
      'The captured header Authorization does not leave this machine; --allow-header Authorization sends it.',
    ]);
  });

  it('go to a receiver on this machine', () => {
    expect(warnings({ to: '3000' })).toEqual([]);
  });
});
