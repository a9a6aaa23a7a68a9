import type { Command } from 'commander';
import { collect } from './define.ts';

/** Flags of every command that sends. */
export type DeliveryOptions = {
  readonly to?: string | undefined;
  readonly provider?: string | undefined;
  readonly secret?: readonly string[] | undefined;
  readonly scheme?: string | undefined;
  readonly keepSignatures?: boolean | undefined;
  readonly header?: readonly string[] | undefined;
  readonly timeout?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly cacert?: string | undefined;
  readonly preserveHost?: boolean | undefined;
  readonly allowHost?: readonly string[] | undefined;
  readonly allowHeader?: readonly string[] | undefined;
};

export function addDeliveryOptions(command: Command): Command {
  return command
    .optionsGroup('The receiver:')
    .option('-t, --to <url>', '3000, localhost:3000/hooks or a full URL (env: WEBHOOK_REPLAY_TO)')
    .option('--allow-host <host>', 'this host outside this machine may be sent to; repeatable', collect)
    .option('-H, --header <line>', "'Name: value' sets, 'Name:' removes; repeatable", collect)
    .option('--allow-header <name>', 'this captured credential header may leave the machine; repeatable', collect)
    .option('--preserve-host', 'send the captured Host header')
    .option('--timeout <duration>', "per attempt; 0 waits for ever (default: the provider's own)")
    .option('-k, --insecure', "do not verify the receiver's certificate")
    .option('--cacert <file>', 'trust these certificate authorities as well (PEM)')
    .optionsGroup('Signing:')
    .option('--provider <name>', 'whose rules to follow; default: what is detected')
    .option(
      '--secret <ref>',
      'env:NAME, file:PATH, cmd:COMMAND or a literal test secret; repeatable for rotation',
      collect,
    )
    .option('--scheme <json>', 'a signature scheme of your own (JSON or @FILE)')
    .option('--keep-signatures', 'send the captured signature and timestamp as they are');
}
