/**
 * What a field's name says about its value.
 * `id`: it is one. `reference`: it is one when it looks like one. `thing`: something that has an id, `"order":"ord_77"`.
 * `never`: it is an amount, a state, a time, ... `text`: for people. `open`: the value alone must tell.
 */
export type KeyClass = 'id' | 'reference' | 'thing' | 'never' | 'text' | 'open';

export type KeyFacts = {
  readonly class: KeyClass;
  /** True for what proves that bytes are genuine: it is renewed by signing, never here. */
  readonly isSignature: boolean;
  /** True when a value must look random to be taken for an id. */
  readonly isToken: boolean;
};

/** @param key as written: `orderId`, `order_id`, `MessageSid`, `data[object][id]`, `X-GitHub-Delivery` */
export function keyFacts(key: string): KeyFacts {
  const words = wordsOf(key);
  return {
    class: classOf(words),
    isSignature: words.some((word) => SIGNATURE_WORDS.has(word)),
    isToken: TOKEN_WORDS.has(words.at(-1) ?? ''),
  };
}

function classOf(words: readonly string[]): KeyClass {
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (ID_WORDS.has(last)) return ENUM_WORDS.has(before) ? 'never' : 'id';
  if (NEVER_LAST.has(last) || words.some((word) => NEVER_ANYWHERE.has(word))) return 'never';
  if (REFERENCE_WORDS.has(last) && COUNTED_WORDS.has(before)) return 'never';
  if (REFERENCE_WORDS.has(last)) return GIT_WORDS.has(before) ? 'open' : 'reference';
  if (THINGS.has(last)) return 'thing';
  return TEXT_WORDS.has(last) ? 'text' : 'open';
}

function wordsOf(key: string): readonly string[] {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
  const joined = JOINED_ID.exec(words.at(-1) ?? '');
  return joined ? [...words.slice(0, -1), joined[1] as string, 'id'] : words;
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** `orderid`, but not `paid` or `valid`. */
const JOINED_ID =
  /^(event|order|user|customer|payment|transaction|invoice|message|account|product|item|session|request|delivery|object|resource|device|client|merchant|store|shop|site|team|project|subscription|charge|refund|ticket|case|record|entity|group|member|contact|deal|company|campaign|batch|job|thread|channel|conversation|webhook)ids?$/;

const ID_WORDS = setOf(`
  id ids uuid uuids guid gid uid ulid sid oid eid sha node_id delivery`);

/** `status_id: 3` numbers a fixed list that the receiver knows, `wa_id` is a phone number. */
const ENUM_WORDS = setOf(`
  type status state country currency language locale category mode role reason kind level priority zone timezone region
  spdx cve cwe ghsa gravatar wa`);

const REFERENCE_WORDS = setOf(`
  number num no reference references ref refs token tokens key keys fingerprint serial`);

/** `page_number` counts. */
const COUNTED_WORDS = setOf('page line row version sequence index step day week month year');

const TOKEN_WORDS = setOf('token tokens key keys fingerprint');

const SIGNATURE_WORDS = setOf('signature signatures hmac sig');

/** Not those whose value may as well be an amount (`payment`, `refund`) or a name out of a catalogue (`product`). */
const THINGS = setOf(`
  order customer invoice subscription account user transaction cart checkout ticket shipment booking reservation contract
  merchant shop conversation session member contact`);

/** Branches and tags. */
const GIT_WORDS = setOf('base head git default');

const NEVER_ANYWHERE = setOf(`
  amount amounts quantity qty currency country phone fax mobile timestamp timezone latitude longitude
  attempt attempts retry retries cents`);

const NEVER_LAST = setOf(`
  price prices total totals subtotal count counts version date dates time times zip postal postcode status state type types
  kind mode size rate percent percentage tax taxes balance fee fees cost costs weight grams height width length lat lng lon
  score rank position index page pages limit offset line lines duration age year month day days hour minute second seconds
  locale language lang tz last4 brand gateway level code codes zone created updated deleted modified expires expiry at on
  since until start end begin iat exp nbf ts epoch event events topic action object category livemode test sandbox
  environment scope scopes role usage interval ip bin vat iban priority sequence verb method algorithm encoding charset
  format mime`);

const TEXT_WORDS = setOf(`
  description descriptor message text body note notes comment comments title name names first label labels subject summary
  content address address1 address2 line1 line2 street city region province company reason memo html agent login username
  user_agent nickname slug handle`);
