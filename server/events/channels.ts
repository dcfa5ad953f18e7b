/** The database notifies this channel, without data, when rows have fired event triggers. */
export const firedChannel = 'rowgate_event';
/** The relay notifies this channel, without data, when it has queued jobs. */
export const relayedChannel = 'rowgate_event_relayed';
