import type { Answer } from '../../delivery/deliver.ts';
import type { EventJob } from '../event-queues.ts';

/** A job as this worker holds it. */
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
 * What becomes of a job: it is done with, whether the event was `taken`, is `dead` or was settled before; or comes
 * again after a while.
 */
export type Outcome = {
  readonly job: HeldJob;
  /** Absent where there was none. */
  readonly attempt?: Attempt;
} & (
  | { readonly kind: 'taken' | 'gone' }
  | { readonly kind: 'dead'; readonly reason: string }
  | { readonly kind: 'again'; readonly afterMs: number }
);
