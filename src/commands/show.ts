import type { Command } from 'commander';
import { bytesAndJson } from './bytes-and-json.ts';
import type { Context, GlobalOptions } from './context.ts';
import { defineCommand, optionsOf } from './define.ts';

export type ShowFlags = GlobalOptions & {
  readonly raw?: boolean | undefined;
  readonly body?: boolean | undefined;
  readonly reveal?: boolean | undefined;
};

export function registerShow(program: Command, context: Context): void {
  defineCommand(program, 'show', {
    group: 'corpus',
    summary: 'Show one event, for reading or to the byte.',
    examples: ['show last', 'show evt_1Nv --json', 'show Xt9Kp2 --raw > event.http', 'show Xt9Kp2 --body | sha256sum'],
  })
    .argument('<event>', 'last, an id, a file or fixture:NAME; webhook-replay help events')
    .option('--raw', 'only the request as it was on the wire, to the byte')
    .option('--body', 'only the payload, to the byte')
    .option('--reveal', 'show the values of headers that open doors (Authorization, Cookie, ...)')
    .action(async (selector: string, _options: unknown, self: Command) => {
      await show(selector, optionsOf<ShowFlags>(self), context);
    });
}

async function show(selector: string, flags: ShowFlags, context: Context): Promise<void> {
  const { openCorpusFor, withCorpus } = await import('./wire-corpus.ts');
  const { oneEvent } = await import('./wire-events.ts');
  const { out, clock } = context;
  if (flags.json && (flags.raw || flags.body)) throw bytesAndJson(flags.raw ? '--raw' : '--body');
  await withCorpus(openCorpusFor(context, flags, 'read'), async (corpus) => {
    const event = await oneEvent(selector, corpus, context);
    if (flags.body) return out.writeBytes(event.payload);
    if (flags.raw) {
      const { writeRawHttp } = await import('../formats/raw-http.ts');
      return out.writeBytes(writeRawHttp(event));
    }
    const { eventAsText, eventDocument } = await import('./event-view.ts');
    const shown = { event, answer: corpus.answerOf(event.id), reveal: flags.reveal ?? false };
    if (flags.json) out.json(eventDocument(shown));
    else out.write(eventAsText(shown, { paint: out.paint, nowMs: clock.epochMs() }));
  });
}
