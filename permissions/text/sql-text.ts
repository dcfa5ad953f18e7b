import pg from 'pg';

/**
 * SQL built only from trusted parts, so that no text of a user becomes part of a statement by mistake. Only this module
 * can create it.
 */
export class SqlText {
  readonly text: string;
  // The private member makes the type nominal: no other object with a member `text` can be used as SqlText.
  readonly #trusted = true;

  private constructor(text: string) {
    this.text = text;
  }

  static of(strings: TemplateStringsArray, ...parts: readonly SqlText[]): SqlText {
    let text = strings[0] ?? '';
    for (let index = 0; index < parts.length; index += 1) {
      text += textOf(parts[index]) + (strings[index + 1] ?? '');
    }
    return new SqlText(text);
  }

  static identifier(name: string): SqlText {
    if (name === '' || name.includes('\0')) throw new TypeError('a name is empty or holds NUL');
    return new SqlText(pg.escapeIdentifier(name));
  }

  static literal(value: string): SqlText {
    if (value.includes('\0')) throw new TypeError('a text holds NUL, which Postgres cannot store');
    // pg examines each character, which takes long for texts without any special one.
    if (!/['\\]/.test(value)) return new SqlText(`'${value}'`);
    return new SqlText(pg.escapeLiteral(value).trimStart());
  }

  static integer(value: number): SqlText {
    if (!Number.isSafeInteger(value)) throw new TypeError('a number is not whole');
    return new SqlText(String(value));
  }

  static join(parts: readonly SqlText[], separator: string): SqlText {
    return new SqlText(parts.map((part) => textOf(part)).join(separator));
  }

  static rendered(text: string): SqlText {
    return new SqlText(`(${text})`);
  }

  static trusts(value: unknown): value is SqlText {
    return typeof value === 'object' && value !== null && #trusted in value;
  }
}

function textOf(part: SqlText | undefined): string {
  if (!SqlText.trusts(part)) throw new TypeError('a bare value was put into SQL');
  return part.text;
}

/** A template tag for SQL. Every interpolated value must be a SqlText. */
export const sql = SqlText.of;

/** A quoted name. @throws TypeError if the name is empty or holds NUL */
export const ident = SqlText.identifier;

/** A quoted text constant. @throws TypeError if the text holds NUL */
export const literal = SqlText.literal;

/** A whole number, without quotes. @throws TypeError for other numbers */
export const integer = SqlText.integer;

export const join = SqlText.join;

/**
 * An expression that Postgres itself printed from its catalogs. It must have been printed under a search_path with
 * which every name is qualified.
 */
export const rendered = SqlText.rendered;

/** Returns the quoted name with its schema: `"schema"."name"`. */
export function qualified(object: { readonly schema: string; readonly name: string }): SqlText {
  return sql`${ident(object.schema)}.${ident(object.name)}`;
}

/** Quoted names separated by commas. */
export function identifiers(names: readonly string[]): SqlText {
  return join(names.map(ident), ', ');
}
