import { isReference, readSecret } from '../config/secrets.ts';
import type { Probe } from '../model/effect.ts';
import type { Secret } from '../model/sign.ts';
import { hideCredentials } from '../observe/hide-credentials.ts';
import { openProbes } from '../observe/sources.ts';
import { plural } from '../support/plural.ts';
import type { Context } from './context.ts';
import { type Check, checked, notChecked, ok } from './doctor-check.ts';

/** Opens and reads each source once. */
export async function checkEffects(sources: readonly string[] = [], context: Context): Promise<readonly Check[]> {
  if (sources.length === 0) return [notChecked('effect', 'No source of effects was named; give --effect.')];
  const checks: Check[] = [];
  for (const source of sources) checks.push(await checkEffect(source, context));
  return checks;
}

function checkEffect(source: string, { cwd, env, clock }: Context): Promise<Check> {
  return checked('effect', async () => {
    const [probe] = await openProbes([source], { cwd, env, clock });
    if (!probe) return notChecked('effect', `${hideCredentials(source)} opens nothing.`);
    try {
      return ok('effect', `${probe.source} ${await contentOf(probe)}.`);
    } finally {
      await probe.close();
    }
  });
}

async function contentOf(probe: Probe): Promise<string> {
  const { collections } = await probe.read();
  if (probe.url !== undefined) return `can listen there`;
  const named = collections
    .slice(0, 5)
    .map(({ name, rows, total }) => `${name} with ${plural(total ?? rows.length, 'row')}`);
  const more = collections.length > named.length ? ' and others' : '';
  return collections.length === 0 ? 'can be read, and is empty' : `can be read: ${named.join(', ')}${more}`;
}

/** Reads each secret; says where it is kept and its fingerprint, never the value. */
export async function checkSecrets(
  references: readonly string[] = [],
  context: Context,
): Promise<{ readonly checks: readonly Check[]; readonly secrets: readonly Secret[] }> {
  if (references.length === 0)
    return { checks: [notChecked('secret', 'No secret was given; give --secret.')], secrets: [] };
  const checks: Check[] = [];
  const secrets: Secret[] = [];
  for (const reference of references) {
    const check = await checked('secret', async () => {
      const secret = await readSecret(reference, context);
      secrets.push(secret);
      const name = isReference(reference) ? reference : 'The literal secret';
      return ok('secret', `${name} can be read (fingerprint ${secret.fingerprint}).`);
    });
    checks.push(check);
  }
  return { checks, secrets };
}
