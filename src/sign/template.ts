/** A template cut into what stands there literally and what is filled in. Literals are latin1 text: one character is one byte. */
export type TemplatePart =
  | { readonly kind: 'literal'; readonly text: string }
  /** `argument` is the `Name` of `{header:Name}`. */
  | { readonly kind: 'placeholder'; readonly name: string; readonly argument: string };

export type Template = readonly TemplatePart[];

const PLACEHOLDER = /\{([a-z]+)(?::([^{}]*))?\}/gi;

export function parseTemplate(text: string): Template {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > end) parts.push(literal(text.slice(end, match.index)));
    parts.push({ kind: 'placeholder', name: match[1] ?? '', argument: match[2] ?? '' });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(literal(text.slice(end)));
  return parts;
}

/** True when the template has this placeholder. */
export function uses(template: Template, name: string): boolean {
  return template.some((part) => part.kind === 'placeholder' && part.name === name);
}

/** @param fill gives latin1 text for a placeholder */
export function renderTemplate(template: Template, fill: (name: string, argument: string) => string): string {
  return template.map((part) => (part.kind === 'literal' ? part.text : fill(part.name, part.argument))).join('');
}

function literal(text: string): TemplatePart {
  return { kind: 'literal', text: Buffer.from(text, 'utf8').toString('latin1') };
}
