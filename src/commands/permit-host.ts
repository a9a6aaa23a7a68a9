import { guardHost, isLoopback } from '../deliver/loopback-guard.ts';
import { type Confirm, canAsk, confirm } from './confirm.ts';
import type { Context, GlobalOptions } from './context.ts';

export type Destination = {
  readonly url: URL;
  /** What would go there, for example `6 deliveries`. */
  readonly what: string;
};

type Options = Pick<GlobalOptions, 'input' | 'json'> & { readonly allowHost?: readonly string[] | undefined };

/**
 * Lets loopback and the hosts of `--allow-host` pass; for any other a person at the terminal must say yes.
 * Everything that sends goes through here first.
 * @throws UserError `HOST_NOT_ALLOWED` when nobody says yes
 */
export async function permitHost(
  { url, what }: Destination,
  options: Options,
  { context, ask = confirm }: { readonly context: Context; readonly ask?: Confirm },
): Promise<void> {
  const allowed = options.allowHost ?? [];
  if (isLoopback(url) || !canAsk(options, context)) return guardHost(url, allowed);
  try {
    return guardHost(url, allowed);
  } catch (refusal) {
    const question = `"${url.host}" is not on this machine. Send ${what} there?`;
    if (await ask({ question, flag: `--allow-host ${url.hostname}` }, options, context)) return;
    throw refusal;
  }
}
