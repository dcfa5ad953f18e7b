/** A JSON value in which each number is its source text. */
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

// Node 24 passes the source text to a reviver, which TypeScript's es2024 library does not declare.
const sourceJson = JSON as unknown as SourceJson;

/** Parses JSON and keeps all digits of its numbers. @throws SyntaxError */
export function parseDecimalJson(text: string): DecimalJson {
  return sourceJson.parse(text, (_key, value, { source }) =>
    typeof value === 'number' ? source : value,
  );
}

/** Returns the value at a path of keys and indexes; undefined when the path leads to no value. */
export function valueAt(json: DecimalJson, ...path: readonly string[]): DecimalJson | undefined {
  let value: DecimalJson | undefined = json;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as { readonly [key: string]: DecimalJson })[key];
  }
  return value;
}

/** Returns a positive number as text that Postgres accepts, such as `97123.45` or `1.2e-7`. @throws Error for other values */
export function parseAmount(value: DecimalJson | undefined): string {
  const isNumber =
    typeof value === 'string' && /^\d{1,20}(\.\d{1,40})?([eE][+-]?\d{1,2})?$/.test(value);
  if (isNumber && /^[\d.]*[1-9]/.test(value)) return value;
  throw new Error('the answer has no positive price');
}
