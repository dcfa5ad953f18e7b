/** A number as the client wrote it, where JavaScript's would be another; JSON.stringify writes it as it is. */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** A JSON value whose numbers lose no digit. */
export type Json =
  | null
  | boolean
  | number
  | string
  | ExactNumber
  | readonly Json[]
  | { readonly [key: string]: Json };

interface ExactJson {
  parse(text: string, reviver: Reviver): Json;
  rawJSON(text: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

// Node 24 has them, TypeScript's library of es2024 does not.
const exactJson = JSON as unknown as ExactJson;

/** JSON.parse that keeps numbers exactly. @throws SyntaxError */
export function parseJson(text: string): Json {
  // Fifteen digits always survive; only longer numbers need the slower way.
  if (!/[\d.]{16}|[eE]/.test(text)) return JSON.parse(text) as Json;
  return exactJson.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? exactJson.rawJSON(source)
      : value,
  );
}

/** A number from its text. */
export function exactNumber(text: string): ExactNumber {
  return exactJson.rawJSON(text);
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return exactJson.isRawJSON(value);
}

/** An object that is neither list, null nor number. */
export function isJsonObject(value: unknown): value is { readonly [key: string]: Json } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}
