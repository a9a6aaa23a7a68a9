import type { Command } from 'commander';
import type { StopReason } from '../capture/progress.ts';
import type { CaptureOptions } from './capture-options.ts';
import type { Context, ExitCode } from './context.ts';
import { collect, defineCommand, optionsOf } from './define.ts';
import { readPort, readStatus, wholeNumber } from './number-option.ts';

export function registerCapture(program: Command, context: Context): void {
  defineCommand(program, 'capture', {
    group: 'corpus',
    summary: 'Record deliveries byte for byte; answer them or pass them on.',
    examples: [
      'capture',
      'capture --forward localhost:3000/webhooks --tag checkout',
      'capture --port 0 --ready-file url.txt --exit-after 3 --json',
      "capture --status 503 --body 'try later' -H 'Retry-After: 5'",
    ],
    notes: ['With --json, standard output is a stream: one object a line, each with type and seq.'],
  })
    .alias('listen')
    .optionsGroup('Where it listens:')
    .option('--host <address>', 'this address; others than loopback open it to the network', '127.0.0.1')
    .option('-p, --port <number>', 'this port; 0 takes any free one', readPort, 4400)
    .option('--ready-file <file>', 'write the URL there once it accepts deliveries')
    .optionsGroup('What is stored:')
    .option('--provider <name>', 'who sends, instead of detecting it')
    .option('--tag <name>', 'tag what is captured; repeatable', collect)
    .option('--limit <size>', 'the largest body; more is answered 413 and stored cut, marked "truncated"', '32mb')
    .optionsGroup('Answering:')
    .option('--status <number>', 'this status, once a delivery is stored (default: 200)', readStatus)
    .option('--body <text>', 'this body; @FILE reads it from a file')
    .option('-H, --header <line>', "this header, 'Name: value'; repeatable", collect)
    .optionsGroup('Passing on:')
    .option('-f, --forward <url>', 'pass each stored delivery on there, and answer as the receiver does')
    .option('--timeout <duration>', 'how long the receiver may take; 0 is for ever (default: 60s)')
    .option('--preserve-host', "send the sender's Host header instead of the receiver's")
    .option('--allow-host <host>', 'this host outside this machine may get deliveries; repeatable', collect)
    .option('--allow-header <name>', 'this credential header may leave the machine; repeatable', collect)
    .option('--cacert <file>', 'trust these certificate authorities as well (PEM)')
    .option('-k, --insecure', "do not verify the receiver's certificate")
    .optionsGroup('The end:')
    .option('--exit-after <count>', 'end after so many complete deliveries', wholeNumber({ min: 1 }))
    .option('--exit-on-idle <duration>', 'end when nothing came for so long')
    .action(async (_options, command: Command) => {
      context.exit(await capture(optionsOf<CaptureOptions>(command), context));
    });
}

/**
 * 1. open    the corpus, and what forwarding needs
 * 2. start   until the port accepts; say so
 * 3. wait    for Ctrl-C, the count, or silence
 * 4. stop    with open deliveries brought to their end
 */
async function capture(options: CaptureOptions, context: Context): Promise<ExitCode> {
  const interrupted = context.interrupted();
  const { readCaptureOptions } = await import('./capture-request.ts');
  const { openArrivalDesk } = await import('../corpus/arrival-desk.ts');
  const { openCorpusFor } = await import('./wire-corpus.ts');
  const { factsOf } = await import('../providers/locate.ts');
  const { startCapture } = await import('../capture/start-capture.ts');
  const { captureListener } = await import('./capture-listener.ts');
  const { readyFile } = await import('./ready-file.ts');

  const { request, ends, closeSender } = await readCaptureOptions(options, context);
  const announce = readyFile(options.readyFile, context.cwd);
  // Opened and closed here as well, so that a file that is no corpus is told at once.
  const { file, close } = openCorpusFor(context, options);
  close();
  const corpus = await openArrivalDesk(file);
  try {
    const listener = captureListener({ options, request, corpus: file, context });
    const running = await startCapture(request, { corpus, factsOf, clock: context.clock, listener });
    announce(running.url);
    const why = await running.until({ interrupted, ...ends });
    await running.stop(why);
    return exitCodeOf(why, running.traffic.counts().notStored);
  } finally {
    await corpus.close();
    await closeSender();
  }
}

/** A delivery that could not be stored was refused, so its sender may come again; a script must not take that for success. */
function exitCodeOf(why: StopReason, notStored: number): ExitCode {
  if (why === 'interrupted') return 130;
  return notStored > 0 ? 3 : 0;
}
