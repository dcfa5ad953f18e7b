/** How long the handlers of a mutation, which are called one after the other, may take together. */
const MAX_HANDLERS_MS = 60_000;

/**
 * How long an operation may wait for handlers of actions; its connection and the locks of its transaction are held
 * meanwhile.
 * @param longestMs that one of the handlers may take
 * @param calls one after the other
 */
export function handlersMs(longestMs: number, calls: number): number {
  return Math.max(longestMs, Math.min(calls * longestMs, MAX_HANDLERS_MS));
}
