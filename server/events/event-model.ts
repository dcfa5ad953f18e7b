import type { Model } from '../../permissions/index.ts';

/** The parts of a loaded model that delivery needs. */
export type EventModel = Pick<Model, 'events' | 'fingerprint'>;
