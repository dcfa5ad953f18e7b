import manifest from '../package.json' with { type: 'json' };

/** The version of this package, e.g. `1.2.0`. */
export const { version } = manifest;
