const hourMs = 3_600_000;
const units = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs, y: 365 * 24 * hourMs } as const;
const maxMs = 10 * units.y;

/** The format of a lifetime, for messages. */
export const lifetimeForm =
  'a number of hours, days, weeks or years like 12h, 90d, 4w, 1y; at most 10y';

/** Parses a lifetime such as `90d` to milliseconds; undefined when the text is not a lifetime. */
export function parseLifetime(text: string): number | undefined {
  const [, number = '', unit] = /^([1-9]\d{0,5})([hdwy])$/.exec(text) ?? [];
  if (unit === undefined) return undefined;
  const lifetime = Number(number) * units[unit as keyof typeof units];
  return lifetime <= maxMs ? lifetime : undefined;
}
