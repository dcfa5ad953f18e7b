import type { Answer } from '../../delivery/deliver.ts';
import type { EventJob } from '../event-queues.ts';

/** A job that this worker has taken. */
export interface HeldJob {
  readonly id: string;
  readonly retryCount: number;
  readonly data: EventJob;
  readonly trigger: string;
}

/** One try to deliver an event. */
export interface Attempt {
  readonly at: Date;
  readonly answer: Answer;
}

/**
 * The result of a job. A job ends when its event was accepted (`taken`), became dead (`dead`) or was settled earlier
 * (`gone`). With `again` the job is retried after a while, and with `paused` once its trigger is resumed.
 */
export type Outcome = {
  readonly job: HeldJob;
  /** Absent when no delivery was tried. */
  readonly attempt?: Attempt;
} & (
  | { readonly kind: 'taken' | 'gone' | 'paused' }
  | { readonly kind: 'dead'; readonly reason: string }
  | { readonly kind: 'again'; readonly afterMs: number }
);
