/**
 * Where a rule stands in its file, and how people describe things, changes nothing that rules mean; nor does what
 * Postgres fills in for an argument that a call leaves out.
 */
const meaningless: ReadonlySet<string> = new Set([
  'position',
  'description',
  'rootDescriptions',
  'default',
]);

/** A part of the model as text; the same for what means the same. */
export function meaningOf(part: unknown): string {
  return JSON.stringify(part, (key, value: unknown) => {
    // The members of what a webhook gets along are its own, whatever they are called.
    if (key === 'payload') return JSON.stringify(value);
    if (meaningless.has(key)) return undefined;
    return value instanceof Map || value instanceof Set ? [...value] : value;
  });
}
