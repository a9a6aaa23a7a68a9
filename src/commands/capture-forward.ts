import type { Forward } from '../capture/forward.ts';
import type { CaptureOptions } from './capture-options.ts';
import type { Context } from './context.ts';

export async function forwardTo(
  _url: string,
  _options: CaptureOptions,
  _context: Context,
): Promise<{ readonly forward: Forward; readonly close: () => Promise<void> }> {
  throw new Error('not yet');
}
