/**
 * Reads an integer of any size. Undefined for other texts, and for integers in forms that only Postgres reads, e.g.
 * `0x1f`.
 */
export function readInteger(text: string): bigint | undefined {
  return /^\s*[+-]?\d{1,30}\s*$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
}

/** Returns the text that Postgres writes for a UUID; undefined for other texts. */
export function readUuid(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase();
  if (!/^\{?[0-9a-f]{4}(-?[0-9a-f]{4}){7}\}?$/.test(trimmed)) return undefined;
  const digits = trimmed.replace(/[{}-]/g, '');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Reads a boolean. Undefined for other texts, and for shortened words that only Postgres reads, e.g. `tru`. */
export function readBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['t', 'true', 'y', 'yes', 'on', '1'].includes(word)) return true;
  return ['f', 'false', 'n', 'no', 'off', '0'].includes(word) ? false : undefined;
}
