/** Minimum time between two reads of the database's state, in milliseconds. */
const freshMs = 5000;

/**
 * Returns a function that reads the state of the database at most once in `freshMs`, however often metrics are read. Its
 * result is undefined after a failed read.
 */
export function recent<T>(
  read: () => Promise<T>,
  onError: (error: unknown) => void,
): () => Promise<T | undefined> {
  let since = Number.NEGATIVE_INFINITY;
  let latest: Promise<T | undefined> | undefined;
  return () => {
    if (latest && performance.now() - since < freshMs) return latest;
    since = performance.now();
    latest = read().catch((error: unknown) => {
      onError(error);
      since = Number.NEGATIVE_INFINITY;
      return undefined;
    });
    return latest;
  };
}
