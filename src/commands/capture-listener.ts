import type { CaptureCounts, CapturedDelivery, CaptureListener, CaptureProgress } from '../capture/progress.ts';
import type { CaptureRequest } from '../capture/start-capture.ts';
import type { CapturedAnswer } from '../model/event.ts';
import { formatBytes } from '../support/bytes.ts';
import { formatDuration } from '../support/duration.ts';
import type { Context, GlobalOptions } from './context.ts';

export type CaptureView = {
  readonly options: Pick<GlobalOptions, 'json' | 'quiet'> & { readonly forward?: string | undefined };
  readonly request: CaptureRequest;
  /** The file's path. */
  readonly corpus: string;
  readonly context: Pick<Context, 'out' | 'err' | 'clock'>;
};

/** With `--json` NDJSON on standard output; text for people on standard error in any case. */
export function captureListener(view: CaptureView): CaptureListener {
  const forPeople = textListener(view);
  if (!view.options.json) return forPeople;
  const forPrograms = ndjsonListener(view);
  return (progress) => {
    forPrograms(progress);
    forPeople(progress);
  };
}

function ndjsonListener({ request, corpus, options, context }: CaptureView): CaptureListener {
  let seq = 0;
  const { policy } = request;
  const answer = policy.kind === 'fixed' ? { status: policy.reply.status } : { forward: options.forward };
  const write = (type: string, fields: object) => {
    seq += 1;
    context.out.jsonLine({ type, seq, ...fields });
  };
  return (progress) => {
    switch (progress.kind) {
      case 'ready':
        return write('ready', { schema: 'webhook-replay/capture/1', url: progress.url, corpus, answer });
      case 'captured':
        return write('captured', { event: progress.delivery(), answer: progress.answer ?? null });
      case 'forwarded': {
        const { delivery, told, withheld } = progress;
        return write('forwarded', { event: { id: delivery().id }, answer: progress.answer, told, withheld });
      }
      case 'rejected': {
        const { reason, status = null, detail, id = null } = progress;
        return write('rejected', { reason, status, detail, id });
      }
      case 'stopped':
        return write('stopped', { why: progress.why, counts: progress.counts });
      case 'warning':
        return;
    }
  };
}

function textListener(view: CaptureView): CaptureListener {
  const { err, clock } = view.context;
  const quiet = view.options.quiet ?? false;
  const live = !quiet && !view.options.json;
  const forwards = view.request.policy.kind === 'forward';
  const toldOf = new Set<string>();
  const now = () => err.paint.dim(timeOfDay(clock.epochMs()));
  const lines = (progress: CaptureProgress): readonly string[] => {
    switch (progress.kind) {
      case 'ready':
        return readyLines(progress.url, { ...view, quiet });
      case 'captured': {
        // A forwarded delivery gets its line with the receiver's answer.
        if (!live || (forwards && progress.marks.length === 0)) return [];
        return [`${now()}  ${describe(progress.delivery())}  ${progress.answer ?? 'no answer: the sender broke off'}`];
      }
      case 'forwarded':
        return [
          ...(live
            ? [`${now()}  ${describe(progress.delivery())}  ${answerText(progress.answer, progress.told)}`]
            : []),
          ...progress.withheld.filter((name) => !toldOf.has(name) && toldOf.add(name)).map(withheldText),
        ];
      case 'rejected':
        return [
          `${now()}  rejected${progress.status ? ` with ${progress.status}` : ''}: ${printable(progress.detail)}.`,
        ];
      case 'warning':
        return [`${err.paint.yellow('warning:')} ${printable(progress.text)}`];
      case 'stopped':
        return [stoppedText(progress.counts, view.corpus)];
    }
  };
  return (progress) => {
    for (const line of lines(progress)) err.write(`${line}\n`);
  };
}

function readyLines(url: string, view: CaptureView & { readonly quiet: boolean }): readonly string[] {
  const { request, corpus, options, context } = view;
  const { paint } = context.err;
  const { port } = new URL(url);
  const answer =
    request.policy.kind === 'forward'
      ? `Each delivery is stored, passed on to ${options.forward}, and answered as the receiver does.`
      : `Each delivery is answered ${request.policy.reply.status} once it is stored.`;
  const lines = [`Capturing on ${paint.bold(url)} into ${corpus}. ${answer}`];
  if (!isLoopbackAddress(request.host)) {
    lines.push(
      `${paint.yellow('warning:')} "${request.host}" is not loopback: who reaches this machine can store deliveries here.`,
    );
  }
  if (view.quiet) return lines;
  const tunnels = `ngrok http ${port}, or cloudflared tunnel --url ${url}`;
  lines.push('Signatures are stored, not checked. Ctrl-C stops.');
  lines.push(`  ${paint.cyan('hint:')} To let a provider reach it, start a tunnel: ${tunnels}`);
  return lines;
}

function isLoopbackAddress(host: string): boolean {
  return /^(127\.|::1$|localhost$)/.test(host);
}

function describe(delivery: CapturedDelivery): string {
  const { id, provider, type, eventId, method, path, bytes, originalBytes, marks } = delivery;
  const what = type ?? `${method} ${path}`;
  const size =
    originalBytes === undefined ? formatBytes(bytes) : `${formatBytes(bytes)} of ${formatBytes(originalBytes)}`;
  return [id, provider, printable(what), ...(eventId ? [printable(eventId)] : []), size, ...marks].join('  ');
}

function answerText(answer: CapturedAnswer, told: number): string {
  const took = formatDuration(answer.tookMs);
  if (answer.kind === 'answered') return `${answer.status} from the receiver in ${took}`;
  return `not delivered (${printable(answer.reason)}), told ${told} after ${took}`;
}

function withheldText(name: string): string {
  return `  The header ${name} does not leave this machine; --allow-header ${name} passes it on.`;
}

function stoppedText(counts: CaptureCounts, corpus: string): string {
  const parts: ReadonlyArray<readonly [count: number, text: string]> = [
    [counts.incomplete, 'incomplete'],
    [counts.forwarded, 'answered by the receiver'],
    [counts.notDelivered, 'not delivered'],
    [counts.rejected, 'rejected'],
    [counts.notStored, 'not stored'],
  ];
  const more = parts.filter(([count]) => count > 0).map(([count, text]) => `, ${count} ${text}`);
  return `Captured ${counts.captured} ${counts.captured === 1 ? 'delivery' : 'deliveries'} into ${corpus}${more.join('')}.`;
}

/** Text from the network must not steer the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, '?');
}

function timeOfDay(epochMs: number): string {
  const time = new Date(epochMs);
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
  return `${clock}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}
