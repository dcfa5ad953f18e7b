const hourMs = 3_600_000;
const units = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs, y: 365 * 24 * hourMs } as const;
const longestMs = 10 * units.y;

/** What a lifetime looks like, for people. */
export const lifetimeForm =
  'a number of hours, days, weeks or years like 12h, 90d, 4w, 1y; at most 10y';

/** Milliseconds of `90d` and the like; undefined where it is none. */
export function parseLifetime(text: string): number | undefined {
  const [, number = '', unit] = /^([1-9]\d{0,5})([hdwy])$/.exec(text) ?? [];
  if (unit === undefined) return undefined;
  const lifetime = Number(number) * units[unit as keyof typeof units];
  return lifetime <= longestMs ? lifetime : undefined;
}
