import type { Model } from '../../permissions/index.ts';

/** What delivery needs of the rules, all of one loading. */
export type Rules = Pick<Model, 'events' | 'fingerprint'>;
