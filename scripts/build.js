// Builds dist/ and THIRD_PARTY_LICENSES. tsdown's own command would print a notice about Node 20 at each `npm ci`.
import { build } from 'tsdown';

await build({ logLevel: process.argv.includes('--quiet') ? 'error' : 'info' });
