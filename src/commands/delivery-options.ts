import { type Command, Option } from 'commander';
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
    .addOption(new Option('-t, --to <url>', 'the receiver: 3000, localhost:3000/hooks or a full URL').env('WEBHOOK_REPLAY_TO'))
    .option('--provider <name>', 'whose rules to follow; default: what is detected')
    .option('--secret <ref>', 'env:NAME, file:PATH, cmd:COMMAND or a literal test secret; repeat it for rotation', collect)
    .option('--scheme <json>', 'sign by a template of your own instead of the provider’s (JSON or @file)')
    .option('--keep-signatures', 'send the captured signature and timestamp as they are')
    .option('-H, --header <line>', "'Name: value' sets, 'Name:' removes; repeatable", collect)
    .option('--timeout <duration>', 'per attempt; 0 waits for ever; default: the provider’s own')
    .option('-k, --insecure', 'accept any TLS certificate')
    .option('--cacert <file>', 'trust this certificate authority, too')
    .option('--preserve-host', 'send the captured Host header')
    .option('--allow-host <host>', 'a receiver outside this machine that may be sent to; repeatable', collect)
    .option('--allow-header <name>', 'a captured credential header that may leave this machine; repeatable', collect);
}
