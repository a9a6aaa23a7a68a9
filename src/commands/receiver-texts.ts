import { FAULTS } from '../fixtures/receivers/faults/faults.ts';
import { RECEIVERS, type Started } from '../fixtures/receivers/start.ts';
import type { Output } from '../support/output.ts';
import { effectSource } from './receiver-database.ts';
import type { ReceiverRequest } from './receiver-request.ts';

export function receiversAsText({ paint }: Pick<Output, 'paint'>): string {
  const width = Math.max(...[...RECEIVERS.map(({ name }) => name), ...FAULTS.map(({ id }) => id)].map(lengthOf));
  const line = (name: string, text: string) => `  ${paint.bold(name.padEnd(width))}  ${text}\n`;
  const receivers = RECEIVERS.map(({ name, summary }) => line(name, summary));
  const faults = FAULTS.map((fault) => line(fault.id, `${fault.summary} (${designsWith(fault.id).join(', ')})`));
  return `Receivers:\n${receivers.join('')}\nFaults (--fault ID):\n${faults.join('')}`;
}

export function receiversDocument() {
  const receivers = RECEIVERS.map(({ name, summary }) => ({ name, summary }));
  const faults = FAULTS.map(({ id, row, summary, trials, base, needs = null, flags = null }) => {
    return { id, row, summary, trials, base, needs, flags, receivers: designsWith(id) };
  });
  return { schema: 'webhook-replay/receivers/1', receivers, faults };
}

/** For people, on standard error; the first line holds the URL. */
export function readyAsText(request: ReceiverRequest, { url }: Started, { paint }: Pick<Output, 'paint'>): string {
  const { design, fault, provider, secrets, db } = request;
  const names = secrets.map(({ name, fingerprint }) => `${name} (${fingerprint})`).join(', ');
  const checks =
    secrets.length > 0 ? `checked as ${provider} with ${names}` : 'not checked, since no --secret was given';
  const lines = [
    `${paint.green('ready:')} the receiver ${paint.bold(design.name)} listens on ${url}`,
    ...(fault ? [`  fault:      ${fault.id}: it ${fault.summary}`] : []),
    `  signatures: ${checks}`,
    `  effects:    --effect ${effectSource(db)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** One line of NDJSON. */
export function readyDocument({ design, fault, db, start }: ReceiverRequest, { url, port }: Started) {
  const names = start.names?.words ?? null;
  const receiver = { receiver: design.name, fault: fault?.id ?? null };
  const ready = { type: 'ready', url, port, ...receiver, effect: effectSource(db), names };
  return { ...ready, pid: process.pid };
}

function designsWith(id: string): readonly string[] {
  const fault = FAULTS.find((candidate) => candidate.id === id);
  return fault ? RECEIVERS.filter((design) => design.takes(fault)).map(({ name }) => name) : [];
}

function lengthOf(text: string): number {
  return text.length;
}
