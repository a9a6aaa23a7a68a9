import { partsOf } from '../providers/locate.ts';
import type { Locations, Provider, SignatureScheme } from '../providers/provider.ts';
import { retryPlanOf } from '../providers/retry-plan.ts';
import { formatDuration } from '../support/duration.ts';

/** One line a provider, in columns. */
export function listProviders(providers: readonly Provider[]): string {
  const rows = providers.map((provider) => [provider.id, provider.name, signatureInShort(provider.signature)]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** All facts about one provider, one a line; a value that is no fact of the provider is marked `assumed`. */
export function describeProvider(provider: Provider): string {
  const { locate } = provider;
  const facts: ReadonlyArray<readonly [string, string]> = [
    ['docs', provider.docsUrl || 'none'],
    ['known by', knownBy(provider)],
    ...signatureFacts(provider.signature),
    ...(provider.legacySignatures ?? []).map((one) => ['older signature', signatureInShort(one)] as const),
    ['type', places(locate.type)],
    ['event id', places(locate.eventId)],
    ['delivery id', places(locate.deliveryId)],
    ['time', places(locate.occurredAt)],
    ['resource', places(locate.resource)],
    ['which ids stay', provider.stability],
    ...retryFacts(provider),
    ['a bare body gets', provider.requestHeaders.map(([name, value]) => `${name}: ${value}`).join('\n')],
  ];
  return `${provider.name} (${provider.id})\n${facts.map(([label, text]) => factLines(label, text)).join('')}`;
}

const LABEL_WIDTH = 18;

function factLines(label: string, text: string): string {
  const [first = '', ...more] = text.split('\n');
  const rest = more.map((line) => `  ${' '.repeat(LABEL_WIDTH)}${line}\n`);
  return `  ${label.padEnd(LABEL_WIDTH)}${first}\n${rest.join('')}`;
}

function knownBy({ detectHeaders, detectNotHeaders = [], detectBody = [] }: Provider): string {
  const groups = detectHeaders.map((group) => group.join(' and '));
  const without = detectNotHeaders.length > 0 ? `, without ${detectNotHeaders.join(', ')}` : '';
  const lines = groups.length > 0 ? [`the header ${groups.join(', or ')}${without}`] : [];
  if (detectBody.length > 0) lines.push(`a body with ${detectBody.join(', ')}`);
  return lines.join('\n') || 'nothing else: it is what is left';
}

function signatureInShort(signature: SignatureScheme | undefined): string {
  if (!signature) return 'unsigned';
  const { algorithm, encoding, header } = signature;
  return `${encoding} HMAC-${algorithm.toUpperCase()} in ${header}`;
}

const KEY_WORDS: Readonly<Record<SignatureScheme['key'], string>> = {
  utf8: 'used as text, with any prefix it has',
  base64: 'base64, decoded',
  hex: 'hexadecimal, decoded',
  'base64-after-prefix': 'whsec_ and base64: the part behind the prefix, decoded',
};

function signatureFacts(signature: SignatureScheme | undefined): ReadonlyArray<readonly [string, string]> {
  if (!signature) return [['signature', 'none']];
  const { content, value, each, join, headerAliases = [] } = signature;
  const carries = join === null ? each : value.replace('{signatures}', `${each}${join}${each}`);
  const aliases = headerAliases.length > 0 ? ` (or ${headerAliases.join(', ')})` : '';
  return [
    ['signature', `${signatureInShort(signature)}${aliases}`],
    ['it covers', content],
    ['it looks like', carries],
    ['two secrets', join === null ? 'one signs: there is one signature' : 'sign side by side, for rotation'],
    ['secret', KEY_WORDS[signature.key]],
    ['timestamp', timestampFact(signature)],
  ];
}

function timestampFact({ timestamp }: SignatureScheme): string {
  if (!timestamp) return 'none: an old request stays valid for ever';
  const { unit, header, toleranceSeconds, futureToleranceSeconds = toleranceSeconds } = timestamp;
  const future = futureToleranceSeconds === null ? 'the future is not checked' : `${futureToleranceSeconds} s ahead`;
  const where = header ? ` in ${header}` : '';
  return `Unix ${unit === 'ms' ? 'milliseconds' : 'seconds'}${where}; at most ${toleranceSeconds} s old, ${future}`;
}

function places(locations: Locations): string {
  return locations.map((location) => partsOf(location).map(placeText).join(' + ')).join('\n') || 'none';
}

function placeText({ place, optional }: ReturnType<typeof partsOf>[number]): string {
  const [, kind, rest = ''] = /^([a-z-]+):(.*)$/.exec(place) ?? [];
  const text = kind === 'text' ? `"${rest}"` : `${kind} ${rest}`;
  return optional ? `${text} if any` : text;
}

function retryFacts(provider: Provider): ReadonlyArray<readonly [string, string]> {
  const { delaysMs, timeoutMs, assumed, automatic } = retryPlanOf(provider);
  const mark = (what: 'timeout' | 'delays') => (assumed.includes(what) ? ' (assumed)' : '');
  const waits = `${delaysMs.map(formatDuration).join(', ')}${mark('delays')}`;
  const { finalStatuses = [], renewedHeaders = [] } = provider.retry;
  return [
    ['retries', automatic ? `after ${waits}` : 'never by itself; people redeliver by hand'],
    ['timeout', `${formatDuration(timeoutMs)}${mark('timeout')}`],
    ...(finalStatuses.length > 0 ? [['gives up after', finalStatuses.join(', ')] as const] : []),
    ...(renewedHeaders.length > 0 ? [['new on each retry', renewedHeaders.join(', ')] as const] : []),
  ];
}
