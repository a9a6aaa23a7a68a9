import manifest from '../package.json' with { type: 'json' };

/** The package's own version. */
export const VERSION: string = manifest.version;
