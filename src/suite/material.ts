import type { WebhookEvent } from '../model/event.ts';
import type { MaterialKind } from './trial-definition.ts';

const MOST_UPDATES = 3;
/** In the words of the senders we know: deleted, canceled, cancelled, closed, removed, expired, refunded is none. */
const TAKES_AWAY = /(^|[._/-])(delet|cancel|remov|clos|expir|destroy|archiv)/i;

/**
 * What the chosen events are good for. Versions are never invented: without several events of one resource there are no
 * `updates`, and without one that takes it away no `deletion`.
 * @param events oldest first
 */
export function materialsOf(events: readonly WebhookEvent[]): ReadonlyMap<MaterialKind, readonly WebhookEvent[]> {
  const materials = new Map<MaterialKind, readonly WebhookEvent[]>();
  const [first] = events;
  if (!first) return materials;
  materials.set('single', [first]);
  const family = largestFamily(events);
  const updates = family.filter((event) => !takesAway(event)).slice(0, MOST_UPDATES);
  if (updates.length >= 2) materials.set('updates', updates);
  const end = family.find(takesAway);
  if (end && updates.length >= 2) materials.set('deletion', [...updates.slice(0, 2), end]);
  return materials;
}

function takesAway({ type }: WebhookEvent): boolean {
  return type !== undefined && TAKES_AWAY.test(type);
}

/** The events of the resource that most of them are about. */
function largestFamily(events: readonly WebhookEvent[]): readonly WebhookEvent[] {
  const families = new Map<string, WebhookEvent[]>();
  for (const event of events) {
    if (event.resource === undefined) continue;
    const key = `${event.provider}|${event.resource}`;
    families.set(key, [...(families.get(key) ?? []), event]);
  }
  return [...families.values()].reduce<readonly WebhookEvent[]>(
    (best, family) => (family.length > best.length ? family : best),
    [],
  );
}
