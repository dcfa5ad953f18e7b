import type { Report } from '../../diagnostics.ts';
import { quote } from '../../text/characters.ts';
import type { RawTableName } from '../raw.ts';
import type { RawName, RawNode } from '../yaml/node.ts';
import { nameOf, requiredFieldOf } from '../yaml/raw-access.ts';

/**
 * `invoice`, `billing.invoice`, or `{ schema: odd.schema, name: odd.table }`. A text with two dots or more could
 * mean several tables, and is reported. `what` is a table or function for messages.
 */
export function readTableName(
  node: RawNode,
  report: Report,
  what = 'table',
): RawTableName | undefined {
  if (node.kind === 'map') {
    const schema = nameOf(requiredFieldOf(node, 'schema')).name;
    const table = nameOf(requiredFieldOf(node, 'name')).name;
    return { name: `${schema}.${table}`, schema, table, position: node.position };
  }
  return splitTableName(nameOf(node), report, what);
}

/** The text form of readTableName. */
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
