import { callInView } from '../../access/function-calls.ts';
import type { TableAccess } from '../../access/table-access.ts';
import { callComputed } from '../../expressions/print/print-call.ts';
import { sql } from '../../text/sql-text.ts';
import type { SelectRule } from '../../types/rules.ts';
import { maskedValue, type ShownColumn, type ShownRow } from './masked-columns.ts';

/** Prints the computed fields that a role reads as columns of its rows view. */
export function computedColumns(
  { computed }: TableAccess,
  select: SelectRule,
  shown: ShownRow,
): readonly ShownColumn[] {
  return [...computed.values()].flatMap((access) => {
    if (access.path !== 'column') return [];
    const { field, column: as } = access;
    const given = { row: sql`${shown.row}.*`, session: shown.scope.session };
    const value = callComputed(callInView(field), given);
    return [maskedValue(select, select.fieldMasks.get(field.name), { value, as }, shown)];
  });
}
