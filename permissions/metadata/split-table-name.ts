import type { Report } from '../diagnostics.ts';
import { quote } from '../text/characters.ts';
import type { RawName } from './yaml/node.ts';

/** The name of a table or function, as written and split into its parts. */
export interface RawTableName extends RawName {
  /** `public` if the name is written without a schema. */
  readonly schema: string;
  readonly table: string;
}

/**
 * Splits `invoice` or `billing.invoice`. A text with two or more dots is ambiguous and is reported. `what` is
 * "table" or "function" for messages.
 */
export function splitTableName(
  { name, position }: RawName,
  report: Report,
  what = 'table',
): RawTableName | undefined {
  const parts = name.split('.');
  const [first = '', second] = parts;
  if (parts.length <= 2 && parts.every((part) => part !== '')) {
    const [schema, table] = second === undefined ? ['public', first] : [first, second];
    return { name, schema, table, position };
  }
  const hint = `write ${what}, schema.${what}, or { schema: …, name: … } where a name holds a dot`;
  report.error('RG_SHAPE', position, `${quote(name)} does not name one ${what}`, hint);
  return undefined;
}
