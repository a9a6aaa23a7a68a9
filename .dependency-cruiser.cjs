const PURE = '(select|plan|mutate|judge|shrink)';
const STAGE = '(corpus|formats|capture|select|plan|mutate|sign|deliver|receiver|observe|judge|shrink|report|config)';
const BASE = 'model|support|providers';

/** The folder rule of docs/ARCHITECTURE.md: stages never import each other; they meet in model/ and get their order in run/. */
module.exports = {
  forbidden: [
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'model-imports-nothing',
      severity: 'error',
      from: { path: '^src/model/' },
      to: { pathNot: '^src/model/' },
    },
    {
      name: 'support-imports-only-model',
      severity: 'error',
      from: { path: '^src/support/' },
      to: { path: '^src/', pathNot: '^src/(model|support)/' },
    },
    {
      name: 'providers-import-only-model-and-support',
      severity: 'error',
      from: { path: '^src/providers/' },
      to: { path: '^src/', pathNot: `^src/(${BASE})/` },
    },
    {
      name: 'stages-do-not-know-each-other',
      severity: 'error',
      from: { path: `^src/${STAGE}/` },
      to: { path: '^src/', pathNot: `^src/(${BASE}|$1)/` },
    },
    {
      name: 'run-knows-only-pure-stages',
      severity: 'error',
      from: { path: '^src/run/' },
      to: { path: '^src/', pathNot: `^src/(${BASE}|run|suite|${PURE.slice(1, -1)})/` },
    },
    {
      name: 'pure-stages-do-no-io',
      severity: 'error',
      from: { path: `^src/${PURE}/` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'model-and-providers-do-no-io',
      severity: 'error',
      from: { path: '^src/(model|providers)/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'] },
    },
    {
      name: 'formats-do-no-io',
      severity: 'error',
      from: { path: '^src/formats/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(buffer|zlib|crypto)$' },
    },
    {
      name: 'sign-uses-only-crypto',
      severity: 'error',
      from: { path: '^src/sign/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'reporters-do-no-io',
      severity: 'error',
      from: { path: '^src/report/reporters/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'fixtures-stand-alone',
      severity: 'error',
      comment: 'Reference receivers are there to be copied: they import nothing else of src.',
      from: { path: '^src/fixtures/receivers/' },
      to: { path: '^src/', pathNot: '^src/fixtures/receivers/' },
    },
    { name: 'no-orphan', severity: 'error', from: { orphan: true, pathNot: '^src/main|[.]d[.]ts$' }, to: {} },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
