const minFreshMs = 60_000;
const maxFreshMs = 24 * 60 * 60 * 1000;

/**
 * Returns for how many milliseconds an answer may be cached, by `Cache-Control` or else by `Expires`; undefined without
 * these headers. The result is at least a minute, because each request would otherwise fetch the answer, and at most a
 * day.
 */
export function freshMsOf(headers: Headers): number | undefined {
  const ms = byCacheControl(headers) ?? byExpires(headers);
  return ms === undefined ? undefined : Math.min(Math.max(ms, minFreshMs), maxFreshMs);
}

function byCacheControl(headers: Headers): number | undefined {
  const control = headers.get('cache-control') ?? '';
  if (/(^|[\s,])no-(store|cache)\b/i.test(control)) return 0;
  const seconds = maxAgeOf(control);
  return seconds === undefined ? undefined : (seconds - (Number(headers.get('age')) || 0)) * 1000;
}

function byExpires(headers: Headers): number | undefined {
  const expires = Date.parse(headers.get('expires') ?? '');
  return Number.isNaN(expires) ? undefined : expires - Date.now();
}

/** Returns the seconds of `max-age` in a `Cache-Control` header. */
export function maxAgeOf(control: string): number | undefined {
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})\b/i.exec(control)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}
