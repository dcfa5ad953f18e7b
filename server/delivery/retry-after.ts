/** A receiver is asked again after this time at the latest, whatever it says. */
const longestMs = 3_600_000;

/**
 * The wait that a `Retry-After` header asks for: seconds or a date (RFC 9110), at most an hour.
 * Undefined where it says nothing that counts.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Math.min(Number(text) * 1000, longestMs);
  // A date has letters; Date.parse would also take numbers that are no delay, like -1.
  const until = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  return Math.min(Math.max(0, until - now), longestMs);
}
