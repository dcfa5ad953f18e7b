import type { RequestError } from '../request-error.ts';

/** The client's end of a subscription, in any transport. */
export interface Receiver {
  /** True while the client has not read many of the bytes that were sent. */
  readonly isFull: boolean;
  /** Calls `resume` once when the client has read enough. Called only while `isFull` is true. */
  onceReady(resume: () => void): void;
  /** Sends one response as JSON text. */
  send(text: string): void;
  /** Reports the error with which the subscription has ended. Called at most once. */
  end(error: RequestError): void;
}
