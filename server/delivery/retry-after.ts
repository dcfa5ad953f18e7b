/** The longest wait before a receiver is called again, even if the receiver requests a longer wait. */
const maxWaitMs = 3_600_000;

/**
 * Returns the wait in milliseconds, at most an hour, that a `Retry-After` header (RFC 9110) gives in seconds or as a
 * date. Returns undefined when the header is absent or invalid.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Math.min(Number(text) * 1000, maxWaitMs);
  // Accepts as a date only a text that begins with the name of a weekday. Date.parse would also read numbers such as
  // -1, which are not valid delays.
  const until = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  return Math.min(Math.max(0, until - now), maxWaitMs);
}
