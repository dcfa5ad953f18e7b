/** Said by the database when rows have fired event triggers; carries no data. */
export const firedChannel = 'rowgate_event';
/** Said by the relay when there are jobs for workers; carries no data. */
export const relayedChannel = 'rowgate_event_relayed';
