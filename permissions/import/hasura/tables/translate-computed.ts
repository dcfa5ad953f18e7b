import type { ImportReport } from '../import-report.ts';
import type { ImportedComputedField, Plain } from '../imported.ts';
import { type Cursor, field, items, members, required, text } from '../input/cursor.ts';
import { readTableName, tableNode } from '../table-name.ts';
import { hasuraPrefix } from '../values.ts';

const parts = ['function', 'table_argument', 'session_argument'];

/**
 * Translates the `computed_fields` of a table to the section of that name, sorted. `label` is the table's name for
 * messages.
 */
export function translateComputedFields(
  table: Cursor,
  label: string,
  { headerPrefix, report }: { readonly headerPrefix: string; readonly report: ImportReport },
): readonly ImportedComputedField[] {
  const fields = items(field(table, 'computed_fields')).map((from) => {
    const name = text(required(from, 'name'));
    const where = `${label}, computed field "${name}"`;
    const definition = required(from, 'definition');
    report.unknownKeys(members(from), ['name', 'definition', 'comment'], where);
    report.unknownKeys(members(definition), parts, where);
    // Metadata writes the name of a function in the same form as the name of a table.
    const called = readTableName(required(definition, 'function'));
    const body = new Map<string, Plain>([['function', tableNode(called)]]);
    for (const key of ['table_argument', 'session_argument']) {
      const argument = field(definition, key);
      if (argument) body.set(key, text(argument));
    }
    const session = field(definition, 'session_argument');
    if (session && headerPrefix.toLowerCase() !== hasuraPrefix) {
      const message = `the function gets session variables as ${headerPrefix.toLowerCase()}…, not as ${hasuraPrefix}…`;
      const hint = 'change what it looks for, or set ROWGATE_HEADER_PREFIX=X-Hasura-';
      report.add('change', session, `${where}: ${message}`, hint);
    }
    body.set('rights', 'owner');
    const comment = field(from, 'comment');
    if (comment) body.set('description', text(comment));
    return { name, called, body, from };
  });
  return fields.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
