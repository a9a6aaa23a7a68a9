import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Manifest = { readonly name: string; readonly version: string; readonly license?: string };

/** The part of a rolldown plugin that is used here. */
type Plugin = { readonly name: string; readonly writeBundle: (options: unknown, bundle: Bundle) => void };
type Bundle = Readonly<Record<string, { readonly type: string; readonly moduleIds?: readonly string[] }>>;

/** Writes name, version and licence of every package whose code went into the bundle, since it is ours to pass on. */
export function thirdPartyLicenses(file: string): Plugin {
  return {
    name: 'third-party-licenses',
    writeBundle: (_options, bundle) => {
      const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
      const folders = new Set(modules.flatMap((id) => packageFolder(id) ?? []));
      const sections = new Set([...folders].map(sectionOf));
      writeFileSync(file, `${INTRODUCTION}\n${[...sections].sort().join('\n')}`);
    },
  };
}

const INTRODUCTION = 'webhook-replay contains code of the following packages, under their own licences.\n';

function packageFolder(moduleId: string): string | undefined {
  return /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(moduleId)?.[1];
}

function sectionOf(folder: string): string {
  const {
    name,
    version,
    license = 'no licence named',
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const files = readdirSync(folder).filter((entry) => /^(licen[cs]e|copying|notice)/i.test(entry));
  const texts = files.map((entry) => readFileSync(join(folder, entry), 'utf8').trim());
  if (texts.length === 0) texts.push('The package names its licence and ships no text of it.');
  return `${'-'.repeat(78)}\n${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}
