import { readBoolean, readInteger, readUuid } from './read-scalar.ts';

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
      return textsOf(readInteger(text));
    case 'uuid':
      return textsOf(readUuid(text));
    case 'text':
    case 'varchar':
      return [text];
    case 'bool':
      return booleanTexts(readBoolean(text));
    default:
      return undefined;
  }
}

function textsOf(value: bigint | string | undefined): readonly string[] | undefined {
  return value === undefined ? undefined : [String(value)];
}

/** A cast to text writes `true`, the output function writes `t`. */
function booleanTexts(value: boolean | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined;
  return value ? ['true', 't'] : ['false', 'f'];
}
