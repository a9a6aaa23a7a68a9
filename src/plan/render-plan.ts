import { type Control, isDelivery, type Plan, type Repeat, type Start, type Step } from '../model/plan.ts';
import { formatDuration } from '../support/duration.ts';
import { plural } from '../support/plural.ts';
import { describePlan, type PlanDescription } from './describe-plan.ts';

/**
 * A plan for people, a line each: two lines of summary, then every step.
 * @param labels what to call an event instead of its id, for example a placeholder of a fresh identity
 */
export function renderPlan(plan: Plan, labels: ReadonlyMap<string, string> = new Map()): readonly string[] {
  const rows = plan.steps.map((step) => rowOf(step, labels));
  const widths = [0, 1, 2].map((column) => rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...summaryLines(plan), ...lines];
}

function summaryLines(plan: Plan): readonly string[] {
  const description = describePlan(plan);
  const { deliveries, events, inGroups, groups, mostRetries } = description;
  const details = [
    `${plural(deliveries, 'delivery')} of ${plural(events, 'event')}`,
    ...(groups > 0 ? [`${inGroups} released in ${plural(groups, 'group')}`] : []),
    ...(mostRetries > 0 ? [`at most ${plural(mostRetries, 'retry')}`] : []),
    ...(deliveries > 0 ? [lengthText(description)] : []),
    `at most ${plan.concurrency} open at a time`,
  ];
  return [`pattern ${plan.pattern}, seed ${plan.seed}`, details.join(', ')];
}

function lengthText({ lastOffsetMs, exact }: PlanDescription): string {
  if (lastOffsetMs === 0) return exact ? 'all at the start' : 'as fast as the answers come';
  return `the last at ${formatDuration(lastOffsetMs)}${exact ? '' : ' plus the answers waited for'}`;
}

function rowOf(step: Step, labels: ReadonlyMap<string, string>): readonly string[] {
  const { id, start } = step;
  if (!isDelivery(step)) return [id, startText(start), controlText(step.control), ''];
  const { delivery } = step;
  const { event, copy, as, group, repeat } = delivery;
  const notes = [
    ...(copy > 1 ? [`copy ${copy}`] : []),
    ...(as === 'redelivery' ? ['redelivered'] : []),
    ...(group ? [`released with ${group}`] : []),
    ...repeatNotes(repeat),
  ];
  return [id, startText(start), labels.get(event) ?? event, notes.join(', ')];
}

function startText(start: Start): string {
  if (start.kind === 'at') return start.atMs === 0 ? 'at the start' : `at ${formatDuration(start.atMs)}`;
  const moment = {
    sent: `${start.step} is sent`,
    'first-byte': `the first byte for ${start.step}`,
    answered: start.step,
  };
  const what = moment[start.moment];
  return start.delayMs === 0 ? `after ${what}` : `${formatDuration(start.delayMs)} after ${what}`;
}

function controlText(control: Control): string {
  switch (control.kind) {
    case 'kill':
      return `kill the receiver (${control.signal})`;
    case 'restart':
      return 'restart the receiver';
    case 'stop':
      return 'stop the receiver (SIGSTOP)';
    case 'continue':
      return 'let the receiver go on (SIGCONT)';
    case 'fault': {
      const { how, side, turn, dependency, forMs } = control.fault;
      const span = forMs === undefined ? '' : ` for ${formatDuration(forMs)}`;
      return `${how} ${side} turn ${turn} of ${dependency}${span}`;
    }
  }
}

function repeatNotes(repeat: Repeat): readonly string[] {
  if (repeat.kind === 'once') return [];
  const delays = repeat.delaysMs.map((delay) => formatDuration(delay)).join(', ');
  return [`until 2xx, retries after ${delays || 'nothing'}${repeat.assumed ? ' (assumed)' : ''}`];
}
