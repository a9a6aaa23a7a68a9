import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** What junit-10.xsd of Jenkins' xUnit plugin says of an element: its children, its attributes and which of them it must have. */
type Rule = {
  readonly children: readonly string[];
  readonly attributes: readonly string[];
  readonly required: readonly string[];
};

const RESULT: Rule = { children: ['#text'], attributes: ['type', 'message'], required: [] };
const OUTPUT: Rule = { children: ['#text'], attributes: [], required: [] };

const RULES: Readonly<Record<string, Rule>> = {
  testsuites: { children: ['testsuite'], attributes: ['name', 'time', 'tests', 'failures', 'errors'], required: [] },
  testsuite: {
    // In this order, as older readers want it.
    children: ['properties', 'testcase', 'system-out', 'system-err'],
    attributes: ['name', 'tests', 'failures', 'errors', 'skipped', 'time', 'timestamp', 'hostname', 'id', 'package'],
    required: ['name', 'tests', 'failures', 'errors'],
  },
  properties: { children: ['property'], attributes: [], required: [] },
  property: { children: [], attributes: ['name', 'value'], required: ['name', 'value'] },
  testcase: {
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    attributes: ['name', 'time', 'classname', 'group'],
    required: ['name'],
  },
  failure: RESULT,
  error: RESULT,
  skipped: RESULT,
  'system-out': OUTPUT,
  'system-err': OUTPUT,
};

const SECONDS = /^\d+\.\d{3}$/;

export type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
};

/** The root of a well-formed document. */
export function readXml(xml: string): Element {
  const trouble = XMLValidator.validate(xml);
  if (trouble !== true) throw new Error(JSON.stringify(trouble));
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    trimValues: false,
    parseTagValue: false,
    parseAttributeValue: false,
    htmlEntities: true,
  });
  const roots = (parser.parse(xml) as RawNode[]).map(elementOf).filter(({ name }) => /^\w/.test(name));
  return roots[0] as Element;
}

/** Everything in which a document differs from what the readers of GitLab and Jenkins take; nothing when it is right. */
export function junitTroubles(element: Element): readonly string[] {
  const { name, attributes, children } = element;
  const rule = RULES[name];
  if (!rule) return [`<${name}> is unknown`];
  const elements = children.filter((child) => child.name !== '#text' || child.text.trim() !== '');
  const places = elements.map((child) => rule.children.indexOf(child.name));
  return [
    ...Object.keys(attributes).flatMap((key) => (rule.attributes.includes(key) ? [] : [`<${name} ${key}> is unknown`])),
    ...rule.required.flatMap((key) => (key in attributes ? [] : [`<${name}> has no ${key}`])),
    ...(places.includes(-1) ? [`<${name}> holds what it may not`] : []),
    ...(places.some((place, at) => place < (places[at - 1] ?? 0))
      ? [`<${name}> holds its parts in a wrong order`]
      : []),
    ...('time' in attributes && !SECONDS.test(attributes['time'] ?? '') ? [`<${name}> has no seconds`] : []),
    ...(name === 'testcase' ? resultTroubles(elements) : []),
    ...(name === 'testsuite' ? countTroubles(element) : []),
    ...elements.filter((child) => child.name !== '#text').flatMap(junitTroubles),
  ];
}

/** GitLab takes one result a case, and shows the text of it. */
function resultTroubles(parts: readonly Element[]): readonly string[] {
  const results = parts.filter(({ name }) => ['failure', 'error', 'skipped'].includes(name));
  if (results.length > 1) return ['a case has more than one result'];
  return results.every(({ text }) => text !== '') ? [] : ['a result has no text'];
}

function countTroubles({ attributes, children }: Element): readonly string[] {
  const cases = children.filter(({ name }) => name === 'testcase');
  const names = new Set(cases.map((each) => each.attributes['name']));
  const count = (part: string) => cases.filter((each) => each.children.some(({ name }) => name === part)).length;
  const counted = {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  };
  return [
    ...(names.size === cases.length ? [] : ['two cases have one name']),
    ...Object.entries(counted).flatMap(([key, value]) =>
      attributes[key] === String(value) ? [] : [`${key} is miscounted`],
    ),
  ];
}

type RawNode = Readonly<Record<string, unknown>>;

function elementOf(node: RawNode): Element {
  const name = Object.keys(node).find((key) => key !== ':@') ?? '';
  const content = node[name];
  const attributes = (node[':@'] ?? {}) as Element['attributes'];
  if (!Array.isArray(content)) return { name, attributes, children: [], text: String(content ?? '') };
  const children = (content as RawNode[]).map(elementOf);
  return { name, attributes, children, text: children.map(({ text }) => text).join('') };
}
