import type pino from 'pino';
import { listenForNotices, type NoticeListener } from './notice-listener.ts';

/** Channel on which apply tells, without data, that the metadata in the database has changed. */
export const appliedChannel = 'rowgate_applied';

/** What triggers say on it of statements on enum tables. */
const enumPayload = 'enum';

export type AppliedListener = NoticeListener;

export interface AppliedListenerOptions {
  readonly url: () => Promise<string>;
  /** Called after each notice, and after a connection was lost: a notice may have been missed. Must not throw. */
  readonly onApplied: () => Promise<void>;
  /** Called when rows of enum tables may have changed. Must not throw. */
  readonly onEnumRows: () => Promise<void>;
  /** Whether something was applied before the listening began; asked once it has. Must not throw. */
  readonly hasMissed: () => Promise<boolean>;
  readonly logger: pino.Logger;
  /** First wait before reconnecting, in milliseconds, doubled up to thirty-fold; default 1000. */
  readonly backOffMs?: number;
  /** For the first notice, which it sends itself, in milliseconds; default 5000. */
  readonly hearingMs?: number;
}

/** Listens until it is closed, reconnecting for as long as that takes. */
export function listenForApplied(options: AppliedListenerOptions): AppliedListener {
  const { onApplied, onEnumRows, hasMissed, ...listening } = options;
  return listenForNotices({
    ...listening,
    channels: [appliedChannel],
    subject: 'applied metadata',
    onNotice: (_, payload) => void (payload === enumPayload ? onEnumRows() : onApplied()),
    onListening: async (isFirst) => {
      if (!isFirst || (await hasMissed())) await onApplied();
    },
  });
}
