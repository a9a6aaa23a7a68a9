import type { Attempt } from '../model/attempt.ts';
import { formatDuration } from '../support/duration.ts';
import { type Courier, labelOf } from './courier.ts';
import { capturedIdentity } from './deliver-round.ts';
import type { RunRequest } from './ports.ts';
import { planInOrder } from './retries.ts';
import { observeStretch } from './stretch.ts';
import type { Family } from './trial.ts';

type Asked = { readonly request: RunRequest; readonly courier: Courier };

const MOST_CANDIDATES = 8;
const BODY_CHARACTERS = 300;

/** The baseline was not taken: with what answer, and with which secret it was signed. */
export function explainRefusal(attempts: readonly Attempt[], { request, courier }: Asked): string {
  const [attempt] = attempts as readonly [Attempt];
  const { outcome } = attempt;
  const label = labelOf(courier.event(attempt.event));
  if (outcome.kind === 'no-response')
    return `The receiver gave no answer to ${label} (${outcome.reason}): ${outcome.detail}`;
  const body = courier.lastBody(attempt.number).slice(0, BODY_CHARACTERS).trim();
  const said = body === '' ? 'with an empty body' : `with "${body}"`;
  const refused = `The baseline was refused: ${label} was answered ${outcome.status} ${said}.`;
  const location = outcome.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  if (outcome.status >= 300 && outcome.status < 400) {
    return `${refused} Redirects are not followed: give the final URL${location ? ` (${location})` : ''} with --to.`;
  }
  return `${refused} ${causeOf(outcome.status, request.signedWith)}`;
}

function causeOf(status: number, signedWith: string | undefined): string {
  if (status === 404 || status === 405) return 'Is the path in --to the right one?';
  if (status >= 500) return "Look into the receiver's log.";
  return signedWith
    ? `It was signed with ${signedWith}; is that the secret the receiver has?`
    : 'It was not signed anew: give the secret that the receiver has with --secret.';
}

/** Nothing was seen. Is it that the source shows nothing, or that fresh ids make the receiver do nothing? */
export async function explainNoEffect(
  baseline: number,
  { request, courier, family }: Asked & { readonly family: Family },
): Promise<string> {
  const sources = courier.ports.observer?.sources
    .map(({ name, url }) => (url === undefined ? name : `${name} (which listens on ${url})`))
    .join(', ');
  const candidates = family.candidates.slice(0, MOST_CANDIDATES).join(', ');
  if (baseline > 1 && request.identities === 'captured') {
    return `The first delivery had effects in ${sources}, the next one had none, although --reset ran in between: the receiver still remembers the captured ids somewhere. --reset must clear that, too.`;
  }
  if (baseline > 1) {
    return `The first delivery had effects in ${sources}, the same event with other fresh ids had none: the receiver seems to know it by something that was not renewed. Name it with --fresh POINTER, or give --reset COMMAND.`;
  }
  const nothing = `The baseline showed no effect in ${sources}: a probe that sees nothing proves nothing.`;
  if (request.identities === 'captured')
    return `${nothing} The event went out with its captured ids, which may have been processed long ago; --reset must clear the receiver's memory of them.`;
  const settle = { quietMs: request.settleMs, maxMs: request.settleMaxMs, firstMs: request.settleFirstMs };
  courier.ports.listen({
    kind: 'phase',
    phase: 'captured',
    text: 'No effect with fresh ids; once more with the captured ones',
    deliveries: request.events.length,
  });
  const plan = planInOrder(request, request.events);
  const { stretch } = await observeStretch(
    { rounds: [{ plan, identities: [capturedIdentity('captured')] }], settle },
    courier,
    request,
  );
  if (stretch.effects.length > 0) {
    return `With its captured ids the event has an effect, with fresh ones it has none: something that was renewed must stay as it is. Name it with --keep POINTER (renewed were: ${candidates}), or create what it refers to with --setup COMMAND.`;
  }
  const patience = formatDuration(request.settleFirstMs);
  return `${nothing} Is it the right source, does the receiver handle this event, and does it act within ${patience} (--settle-first)?`;
}
