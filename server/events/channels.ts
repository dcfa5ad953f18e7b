/** The channel on which the database notifies, without data, that changed rows have fired event triggers. */
export const firedChannel = 'rowgate_event';
/** The channel on which the relay notifies, without data, that it has queued jobs. */
export const relayedChannel = 'rowgate_event_relayed';
