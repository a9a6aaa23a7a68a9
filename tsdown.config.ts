import { defineConfig } from 'tsdown';
import { thirdPartyLicenses } from './scripts/third-party-licenses.ts';

export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  dts: false,
  clean: true,
  minify: false,
  deps: { neverBundle: ['better-sqlite3'], onlyBundle: false },
  plugins: [thirdPartyLicenses('THIRD_PARTY_LICENSES')],
});
