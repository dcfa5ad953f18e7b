/** A time range as two instants in ISO 8601; absent: open. */
export interface TimeRange {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Returns a whole day in the time zone of the browser. @param ago how many days before today */
export function dayAgo(ago: number): Required<TimeRange> {
  const now = new Date();
  const begin = (day: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + day).toISOString();
  return { since: begin(-ago), until: begin(1 - ago) };
}
