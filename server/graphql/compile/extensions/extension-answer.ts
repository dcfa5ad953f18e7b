import type { JsonRow } from '../../../db/requests/transaction.ts';

/** The content of one response key in an object of an extension. */
export type Slot =
  | { readonly kind: 'value'; readonly isNumber: boolean }
  | { readonly kind: 'object'; readonly slots: Slots }
  | RowsSlot;

/** Rows of a table, found by values of other fields in the same object. */
export interface RowsSlot {
  readonly kind: 'object rows' | 'array rows';
  /** Index among the relationships of the document. */
  readonly index: number;
  /** Response keys in the plugin's data that hold the values of the join columns. */
  readonly keys: readonly string[];
}

/** Slots by response key, in the order of the response. */
export type Slots = readonly (readonly [string, Slot])[];

type Value = unknown;
type Values = Readonly<Record<string, Value>>;

/**
 * Converts the data of a plugin to texts. First comes one text with the JSON of each root field. One text for each
 * relationship follows: a JSON list of the distinct values of the relationship's join columns.
 */
export function collectTexts(data: Values, slots: Slots, relationships: number): JsonRow {
  const found = Array.from({ length: relationships }, () => new Map<string, readonly string[]>());
  const collect = (value: Value, slot: Slot): void => {
    if (Array.isArray(value)) for (const item of value) collect(item, slot);
    else if (slot.kind === 'object' && isObject(value)) {
      for (const [key, inner] of slot.slots) {
        if (inner.kind === 'value') continue;
        if (inner.kind === 'object') collect(value[key], inner);
        else {
          const texts = valuesOf(value, inner);
          if (texts) found[inner.index]?.set(JSON.stringify(texts), texts);
        }
      }
    }
  };
  for (const [key, slot] of slots) collect(data[key], slot);
  return [
    ...slots.map(([key]) => JSON.stringify(data[key] ?? null)),
    ...found.map((values) => JSON.stringify([...values.values()])),
  ];
}

/** The rows of a relationship as JSON texts, by the JSON text of their join values. */
export type FoundRows = ReadonlyMap<string, string>;

/**
 * @param values the text of the relationship from {@link collectTexts}
 * @param rows the result of the relationship's statement
 */
export function foundRows(values: string, rows: string): FoundRows {
  const texts: readonly (string | null)[] = JSON.parse(rows);
  const keys: readonly unknown[] = JSON.parse(values);
  return new Map(keys.map((key, index) => [JSON.stringify(key), texts[index] ?? 'null']));
}

/** Builds the JSON of a value, including the related rows of its objects. */
export function answerText(value: Value, slot: Slot, found: readonly FoundRows[]): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) {
    return `[${value.map((item) => answerText(item, slot, found)).join(',')}]`;
  }
  if (slot.kind === 'value') {
    const isNumber = slot.isNumber && typeof value === 'string' && JSON_NUMBER.test(value);
    return isNumber ? value : JSON.stringify(value);
  }
  if (slot.kind !== 'object' || !isObject(value)) return 'null';
  const members = slot.slots.map(([key, inner]) => {
    const isOwn = inner.kind === 'value' || inner.kind === 'object';
    const text = isOwn ? answerText(value[key], inner, found) : rowsText(value, inner, found);
    return `${JSON.stringify(key)}:${text}`;
  });
  return `{${members.join(',')}}`;
}

/** Returns true if the plugin's data can be the answer without a change. */
export function isPlain(slot: Slot): boolean {
  if (slot.kind === 'value') return !slot.isNumber;
  return slot.kind === 'object' && slot.slots.every(([, inner]) => isPlain(inner));
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

function rowsText(value: Values, slot: RowsSlot, found: readonly FoundRows[]): string {
  const texts = valuesOf(value, slot);
  const rows = texts && found[slot.index]?.get(JSON.stringify(texts));
  return rows ?? (slot.kind === 'array rows' ? '[]' : 'null');
}

/**
 * Returns the values of the join columns. Returns undefined when one of the values is null: null equals no value, so
 * the object has no related rows.
 */
function valuesOf(value: Values, { keys }: RowsSlot): readonly string[] | undefined {
  const values = keys.map((key) => value[key]);
  if (values.some((one) => one === null || one === undefined)) return undefined;
  return values.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one)));
}

function isObject(value: Value): value is Values {
  return typeof value === 'object' && value !== null;
}
