import { createRequire } from 'node:module';

/** The package's own version; the manifest lies one folder above both `src` and `dist`. */
export const VERSION: string = (createRequire(import.meta.url)('../package.json') as { version: string }).version;
