/** The parts of a type that decide how Postgres writes its values. */
interface WrittenType {
  readonly schema: string;
  readonly name: string;
  readonly element?: unknown;
  readonly labels?: readonly string[] | undefined;
}

/**
 * Returns the texts that Postgres may write for a value that a client or a rule gives as a text. Two values of these types
 * are equal only if Postgres writes the same text for them. Undefined: the type is another, or the value is malformed.
 */
export function canonicalTexts(text: string, type: WrittenType): readonly string[] | undefined {
  if (type.element) return undefined;
  if (type.labels) return [text];
  if (type.schema !== 'pg_catalog') return undefined;
  switch (type.name) {
    case 'int2':
    case 'int4':
    case 'int8':
      return /^\s*[+-]?\d{1,30}\s*$/.test(text)
        ? [String(BigInt(text.replace('+', '')))]
        : undefined;
    case 'uuid':
      return uuidText(text);
    case 'text':
    case 'varchar':
      return [text];
    case 'bool':
      return booleanTexts(text.trim().toLowerCase());
    default:
      return undefined;
  }
}

function uuidText(text: string): readonly string[] | undefined {
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(
    text.replace(/[\s{}-]/g, '').toLowerCase(),
  );
  return parts && /^[\s{}0-9a-f-]+$/i.test(text) ? [parts.slice(1).join('-')] : undefined;
}

/** A cast to text writes `true`, the output function writes `t`. */
function booleanTexts(text: string): readonly string[] | undefined {
  if (['t', 'true', 'y', 'yes', 'on', '1'].includes(text)) return ['true', 't'];
  return ['f', 'false', 'n', 'no', 'off', '0'].includes(text) ? ['false', 'f'] : undefined;
}
