import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';
import { thirdPartyLicenses } from './scripts/third-party-licenses.ts';

const NO_DETECTION = fileURLToPath(
  new URL('node_modules/chalk/source/vendor/supports-color/browser.js', import.meta.url),
);
const ENTRY = fileURLToPath(new URL('src/main.ts', import.meta.url));

export default defineConfig({
  entry: { main: 'src/main.ts', 'desk-thread': 'src/corpus/desk-thread.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  dts: false,
  clean: true,
  minify: false,
  // Each stream's colours are found out by Node itself; chalk's own detection would only cost start-up.
  alias: { '#supports-color': NO_DETECTION },
  deps: { neverBundle: ['better-sqlite3'], onlyBundle: false },
  outputOptions: {
    // Every file that a command line loads before its command is known costs a millisecond: they are one.
    codeSplitting: { groups: [{ name: startChunk() }] },
  },
  plugins: [thirdPartyLicenses('THIRD_PARTY_LICENSES')],
});

type ModuleGraph = { readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null };

/** Names the chunk of what the entry imports without `import()`; the rest is split as usual. */
function startChunk(): (id: string, graph: ModuleGraph) => string | null {
  let eager: ReadonlySet<string> | undefined;
  return (id, graph) => {
    eager ??= reachable(ENTRY, graph);
    return eager.has(id) ? 'start' : null;
  };
}

function reachable(entry: string, graph: ModuleGraph): ReadonlySet<string> {
  const seen = new Set([entry]);
  for (const id of seen) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) seen.add(imported);
  return seen;
}
