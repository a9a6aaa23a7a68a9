import type { WebhookEvent } from '../model/event.ts';
import { isDelivery, type Plan } from '../model/plan.ts';
import { createPlaceholders } from '../mutate/placeholders.ts';
import { describePlan } from '../plan/describe-plan.ts';
import { renderPlan } from '../plan/render-plan.ts';
import type { ReplayRequest } from '../run/ports.ts';
import { roundsOf } from '../run/rounds.ts';
import type { Context, GlobalOptions } from './context.ts';

type Printed = {
  readonly events: readonly WebhookEvent[];
  readonly request: ReplayRequest;
  readonly options: GlobalOptions & { readonly effect?: readonly string[] | undefined };
  readonly context: Context;
};

/** What would be sent, the same for the same seed: new ids are drawn only when something is sent, so placeholders stand for them. */
export function printPlan(plan: Plan, printed: Printed): void {
  const { request, options, context } = printed;
  if (options.json) context.out.json(planDocument(plan, printed));
  else context.out.write(planAsText(plan, printed));
  if (!options.quiet) context.err.write(`Nothing was sent to ${request.to}.\n`);
}

function planAsText(plan: Plan, printed: Printed): string {
  const { events, request } = printed;
  const labels = labelsOf(printed);
  const names = events.map((event) => `${labels.get(event.id)} is ${nameOf(event)}`);
  const lines = [
    ...renderPlan(plan, labels),
    ...(request.identities === 'fresh' ? [...new Set(names)].map((name) => `${name}, with new ids in each round`) : []),
    ...roundLines(plan, printed),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function roundLines(plan: Plan, { request, options }: Printed): readonly string[] {
  const rounds = roundsOf(plan, request, options.effect ? 'by-effects' : 'by-answers');
  return [
    ...(options.effect ? ['before it, each event goes out once, in order, at least twice over: the baseline'] : []),
    ...(rounds > 1 ? [`the plan is carried out ${rounds} times`] : []),
  ];
}

function planDocument(plan: Plan, printed: Printed) {
  const { events, request, options } = printed;
  const labels = labelsOf(printed);
  return {
    schema: 'webhook-replay/plan/1',
    to: request.to,
    identities: request.identities,
    baseline: options.effect !== undefined,
    rounds: roundsOf(plan, request, options.effect ? 'by-effects' : 'by-answers'),
    selection: events.map(({ id, provider, type, eventId }) => ({
      event: labels.get(id),
      id,
      provider,
      type,
      eventId,
    })),
    ...describePlan(plan),
    plan: {
      ...plan,
      steps: plan.steps.map((step) =>
        isDelivery(step) ? { ...step, delivery: { ...step.delivery, event: labels.get(step.delivery.event) } } : step,
      ),
    },
  };
}

/** Captured ids are known, so that the events go by their own names. */
function labelsOf({ events, request }: Printed): ReadonlyMap<string, string> {
  return request.identities === 'fresh'
    ? createPlaceholders(events)
    : new Map(events.map(({ id, eventId }) => [id, eventId ?? id]));
}

function nameOf({ id, eventId, type, provider }: WebhookEvent): string {
  return [provider, type, eventId ?? id].filter((part) => part !== undefined).join(' ');
}
