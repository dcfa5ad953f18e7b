/** A JSON value whose numbers are the texts that they were written as. */
export type DecimalJson =
  | null
  | boolean
  | string
  | readonly DecimalJson[]
  | { readonly [key: string]: DecimalJson };

interface SourceJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): DecimalJson;
}

// Node 24 tells a reviver the source, TypeScript's library of es2024 does not know.
const sourceJson = JSON as unknown as SourceJson;

/** JSON.parse in which no number loses a digit. @throws SyntaxError */
export function parseDecimalJson(text: string): DecimalJson {
  return sourceJson.parse(text, (_key, value, { source }) =>
    typeof value === 'number' ? source : value,
  );
}

/** The value at a path of keys and places; undefined where there is none. */
export function valueAt(json: DecimalJson, ...path: readonly string[]): DecimalJson | undefined {
  let value: DecimalJson | undefined = json;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as { readonly [key: string]: DecimalJson })[key];
  }
  return value;
}

/** A number above zero as Postgres reads it, like `97123.45` or `1.2e-7`. @throws Error for everything else */
export function parseAmount(value: DecimalJson | undefined): string {
  const isNumber =
    typeof value === 'string' && /^\d{1,20}(\.\d{1,40})?([eE][+-]?\d{1,2})?$/.test(value);
  if (isNumber && /^[\d.]*[1-9]/.test(value)) return value;
  throw new Error('it names no price above zero');
}
