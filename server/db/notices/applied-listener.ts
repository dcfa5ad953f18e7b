import type pino from 'pino';
import { listenForNotices, type NoticeListener } from './notice-listener.ts';

/**
 * Channel on which apply says, without data, that the metadata in the database has changed. Any login that can connect
 * may send notices on it.
 */
export const appliedChannel = 'rowgate_applied';

/** What triggers say on it of statements on enum tables. */
const enumPayload = 'enum';

export type AppliedListener = NoticeListener;

export interface AppliedListenerOptions {
  readonly url: () => Promise<string>;
  /** Called after each notice of an apply. Must not throw. */
  readonly onApplied: () => Promise<void>;
  /** Called when rows of enum tables may have changed. Must not throw. */
  readonly onEnumRows: () => Promise<void>;
  /** Called when listening has begun, again after each lost connection: earlier notices were missed. Must not throw. */
  readonly onListening: () => Promise<void>;
  readonly logger: pino.Logger;
  /** First wait before reconnecting, in milliseconds, doubled up to thirty-fold; default 1000. */
  readonly backOffMs?: number;
  /** For the first notice, which it sends itself, in milliseconds; default 5000. */
  readonly hearingMs?: number;
}

/** Listens until it is closed, reconnecting for as long as that takes. */
export function listenForApplied(options: AppliedListenerOptions): AppliedListener {
  const { onApplied, onEnumRows, ...listening } = options;
  return listenForNotices({
    ...listening,
    channels: [appliedChannel],
    subject: 'applied metadata',
    onNotice: (_, payload) => void (payload === enumPayload ? onEnumRows() : onApplied()),
  });
}
