import type { CapturedAnswer, Mark } from '../model/event.ts';
import { formatDuration } from '../support/duration.ts';

const MARK_TEXTS: Readonly<Record<Mark, string>> = {
  truncated: 'truncated: only the head of its body was stored',
  incomplete: 'incomplete: the sender broke off before its body was complete',
  'bytes-lost': 'bytes lost: the file it came from did not keep all headers or bytes as the provider sent them',
};

export function markText(mark: Mark): string {
  return MARK_TEXTS[mark];
}

/** `200`, `200 by receiver`, `not delivered`; empty when nothing is known. */
export function answerWord(answer: CapturedAnswer | undefined): string {
  if (!answer) return '';
  return answer.kind === 'answered' ? String(answer.status) : 'not delivered';
}

export function answerSentence(answer: CapturedAnswer): string {
  const after = `after ${formatDuration(answer.tookMs)}`;
  if (answer.kind === 'not-delivered') return `not delivered (${answer.reason}) ${after}`;
  return `answered ${answer.status} by ${answer.by === 'capture' ? 'the capture' : 'the receiver'} ${after}`;
}

/** `2026-01-01 12:00:03Z (5 min ago)`. */
export function timeText(iso: string, nowMs: number): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z (${agoText(Date.parse(iso), nowMs)})`;
}

function agoText(thenMs: number, nowMs: number): string {
  const ms = nowMs - thenMs;
  if (ms < 0) return 'in the future';
  if (ms < 1000) return 'now';
  const days = Math.floor(ms / 86_400_000);
  if (days >= 2) return `${days} days ago`;
  return `${formatDuration(Math.floor(ms / 1000) * 1000)} ago`;
}
