import type pino from 'pino';
import { listenForNotices, type NoticeListener } from './notice-listener.ts';

/**
 * The channel on which apply notifies, without data, that the metadata in the database has changed. Any login that can
 * connect may send notices on it.
 */
export const appliedChannel = 'rowgate_applied';

/** The payload that triggers on enum tables send. */
const enumPayload = 'enum';

export type AppliedListener = NoticeListener;

export interface AppliedListenerOptions {
  readonly url: () => Promise<string>;
  /** Called after each notice of an apply. Must not throw. */
  readonly onApplied: () => Promise<void>;
  /** Called when rows of enum tables may have changed. Must not throw. */
  readonly onEnumRows: () => Promise<void>;
  /** Called at the start and after each reconnection, because notices may have been missed before. Must not throw. */
  readonly onListening: () => Promise<void>;
  readonly logger: pino.Logger;
  /**
   * First wait before reconnecting, in milliseconds, doubled at each failure up to thirty times this value; default
   * 1000.
   */
  readonly backOffMs?: number;
  /**
   * Maximum milliseconds until the listener must receive its own test notice; default 5000. Without the notice, it
   * reconnects.
   */
  readonly hearingMs?: number;
}

/** Listens for notices of apply until it is closed, and reconnects after each loss. */
export function listenForApplied(options: AppliedListenerOptions): AppliedListener {
  const { onApplied, onEnumRows, ...listening } = options;
  return listenForNotices({
    ...listening,
    channels: [appliedChannel],
    subject: 'applied metadata',
    onNotice: (_, payload) => void (payload === enumPayload ? onEnumRows() : onApplied()),
  });
}
