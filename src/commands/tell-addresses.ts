import type { Probe } from '../model/effect.ts';
import { UserError } from '../support/errors.ts';

type Listening = Pick<Probe, 'name' | 'source' | 'url'>;

/** What a receiver that we start gets to know of the places where we listen for it. */
export type Addresses = {
  /** The command with URLs in place of `{spy.NAME}` and `{smtp.NAME}`. */
  readonly command: string;
  /** `WEBHOOK_REPLAY_SPY_NAME` and `WEBHOOK_REPLAY_SMTP_NAME` with the same URLs. */
  readonly variables: Readonly<Record<string, string>>;
};

/** @throws UserError for a place that no `--effect` opens */
export function tellAddresses(start: string, listening: readonly Listening[]): Addresses {
  const places = listening.map((probe) => ({ word: `${schemeOf(probe)}.${probe.name}`, url: probe.url ?? '' }));
  const command = start.replace(/\{((?:spy|smtp)\.[^{}\s]+)\}/g, (_text, word: string) => {
    const place = places.find((each) => each.word === word);
    if (!place) throw unknownPlace(word, places);
    return place.url;
  });
  return { command, variables: Object.fromEntries(places.map(({ word, url }) => [variableOf(word), url])) };
}

function schemeOf({ source }: Listening): string {
  return source.slice(0, source.indexOf(':')).toLowerCase();
}

/** `spy.crm-api` is `WEBHOOK_REPLAY_SPY_CRM_API`. */
function variableOf(word: string): string {
  return `WEBHOOK_REPLAY_${word.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}

function unknownPlace(word: string, places: ReadonlyArray<{ readonly word: string }>): UserError {
  const [scheme, ...name] = word.split('.');
  return new UserError('UNKNOWN_PLACE', `--start names {${word}}, and no --effect opens it.`, {
    hint:
      places.length === 0
        ? `Open it with --effect ${name.join('.')}=${scheme}:0.`
        : `There is: ${places.map((place) => `{${place.word}}`).join(', ')}.`,
  });
}
