import manifest from '../package.json' with { type: 'json' };

/** Of this package, e.g. `1.2.0`. */
export const { version } = manifest;
