import type { Command } from 'commander';
import type { Context, ExitCode } from './context.ts';
import { collect, defineCommand, optionsOf } from './define.ts';
import { readPort, readSeed, readStatus } from './number-option.ts';
import type { ReceiverFlags } from './receiver-flags.ts';

export function registerReceiver(program: Command, context: Context): void {
  defineCommand(program, 'receiver', {
    group: 'judge',
    summary: 'Start a reference receiver, right or broken on purpose.',
    examples: [
      'receiver --list',
      'receiver transaction --db sqlite:shop.db --provider stripe --secret env:STRIPE_SECRET',
      'receiver ledger --fault check-then-act-1ms --port 0 --ready-file url.txt',
      'receiver transaction --db postgres://postgres@127.0.0.1:5432/shop',
    ],
  })
    .argument('[name]', 'which one; --list names them')
    .optionsGroup('What it is:')
    .option('--list', 'name the receivers and the faults they can have')
    .option('--fault <id>', 'be wrong in this way')
    .option('--rename <seed>', 'give tables, columns and the route other names, drawn by this number', readSeed)
    .option(
      '--db <source>',
      'keep its rows there: sqlite:FILE, postgres://... or env:NAME (default: a new temporary file)',
    )
    .option('--provider <name>', 'whose events it takes, and how they are signed (default: as the headers say)')
    .option('--secret <ref>', 'check signatures: env:NAME, file:PATH, cmd:COMMAND or a literal; repeatable', collect)
    .optionsGroup('Where it listens:')
    .option('-p, --port <number>', 'this port; 0 takes any free one', readPort, 0)
    .option('--host <address>', 'this address; others than loopback open it to the network', '127.0.0.1')
    .option('--ready-file <file>', 'write the URL there once it accepts deliveries')
    .optionsGroup('How it behaves:')
    .option('--effect-delay <duration>', 'answer 202 at once and do the work this much later')
    .option('--call <url>', 'make a POST there, or to env:NAME, for each order to ship')
    .option('--call-delay <duration>', 'wait before that call')
    .option('--total-only', 'write no rows; only one running total grows')
    .option('--no-db-rows', 'write no rows at all but those that guard; for --call')
    .option(
      '--answers <statuses>',
      "answer an event's first attempts so, like 500,500,200, before anything is done",
      (text) => text.split(',').map(readStatus),
    )
    .option('--queue <url>', 'queue: keep jobs in Redis, as redis://... or env:NAME (default: in its database)')
    .option('--queue-config <file>', 'queue: its settings, a consumer-config.yaml')
    .option('--admin-token <ref>', 'queue: who has it may see and replay dead letters; as with --secret')
    .option('--api <url>', "ground-truth: the provider's API, or env:NAME (default: a stub of its own)")
    .option('--buffer <duration>', 'layers: keep an update that comes before its create so long, then apply it anyway')
    .option(
      '--keep-receipts <duration>',
      'layers: forget processed events after this long, 30d at least (default: 90d)',
    )
    .action(async (name: string | undefined, _options, command: Command) => {
      const flags = optionsOf<ReceiverFlags>(command);
      context.exit(flags.list ? await list(flags, context) : await serve(name, flags, context));
    });
}

async function list({ json }: ReceiverFlags, { out }: Context): Promise<ExitCode> {
  const { receiversAsText, receiversDocument } = await import('./receiver-texts.ts');
  if (json) out.json(receiversDocument());
  else out.write(receiversAsText(out));
  return 0;
}

/** Runs until Ctrl-C or SIGTERM, then finishes what it has accepted. */
async function serve(name: string | undefined, flags: ReceiverFlags, context: Context): Promise<ExitCode> {
  const interrupted = context.interrupted();
  const { readReceiverRequest } = await import('./receiver-request.ts');
  const { startOrExplain } = await import('./receiver-start.ts');
  const { readyAsText, readyDocument } = await import('./receiver-texts.ts');
  const { readyFile } = await import('./ready-file.ts');

  const request = await readReceiverRequest(name, flags, context);
  const announce = readyFile(flags.readyFile, context.cwd);
  const log = flags.verbose ? (line: string) => context.err.write(`${line}\n`) : undefined;
  const alert = (line: string) => context.err.write(`${line}\n`);
  const started = await startOrExplain({ ...request.start, log, alert });
  context.err.write(readyAsText(request, started, context.err));
  if (flags.json) context.out.jsonLine(readyDocument(request, started));
  announce(started.url);
  await new Promise<void>((resolve) => {
    if (interrupted.aborted) resolve();
    interrupted.addEventListener('abort', () => resolve(), { once: true });
  });
  await started.close();
  return 130;
}
