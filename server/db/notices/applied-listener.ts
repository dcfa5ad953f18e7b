import {
  listenForNotices,
  type NoticeListener,
  type NoticeListenerOptions,
} from './notice-listener.ts';

/**
 * The channel on which apply notifies, without data, that the metadata in the database has changed. Any login that can
 * connect may send notices on it.
 */
export const appliedChannel = 'rowgate_applied';

/** The payload that triggers on enum tables send. */
const enumPayload = 'enum';

export interface AppliedListenerOptions
  extends Omit<NoticeListenerOptions, 'channels' | 'subject' | 'onNotice'> {
  /** Called after each notice of an apply. Must not throw. */
  readonly onApplied: () => Promise<void>;
  /** Called when rows of enum tables may have changed. Must not throw. */
  readonly onEnumRows: () => Promise<void>;
}

/** Listens for notices of apply until it is closed, and reconnects after each loss. */
export function listenForApplied(options: AppliedListenerOptions): NoticeListener {
  const { onApplied, onEnumRows, ...listening } = options;
  return listenForNotices({
    ...listening,
    channels: [appliedChannel],
    subject: 'applied metadata',
    onNotice: (_, payload) => void (payload === enumPayload ? onEnumRows() : onApplied()),
  });
}
