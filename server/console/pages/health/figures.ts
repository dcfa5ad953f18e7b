/** Returns a duration in words, such as `2.4 ms`. */
export function durationOf(seconds: number | undefined): string {
  if (seconds === undefined) return '–';
  if (seconds >= 1) return `${rounded(seconds)} s`;
  return `${rounded(seconds * 1000)} ms`;
}

/** Returns a number with two significant digits, and with all digits before the point. */
export function rounded(value: number): string {
  return value.toLocaleString('en', {
    maximumFractionDigits: value >= 10 ? 0 : value >= 1 ? 1 : 2,
  });
}

export function countOf(value: number, one: string, many: string): string {
  return `${value.toLocaleString('en')} ${value === 1 ? one : many}`;
}

/** Returns a day and a time, in the time zone of the browser. */
export function timeOf(time: number | string): string {
  const found = new Date(time);
  const day = [found.getFullYear(), found.getMonth() + 1, found.getDate()];
  return `${day.map((part) => String(part).padStart(2, '0')).join('-')} ${found.toLocaleTimeString('en-GB')}`;
}

/** Returns the time since a moment, such as `3 h 12 min`. */
export function ageOf(since: number): string {
  const minutes = Math.max(0, Math.floor((Date.now() - since) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}
