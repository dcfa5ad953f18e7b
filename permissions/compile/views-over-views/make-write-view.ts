import type { TableAccess } from '../../access/table-access.ts';
import { type ViewWrite, writeView } from '../../access/writes.ts';
import { filterColumns, variablesOf } from '../../expressions/dependencies.ts';
import { printRule } from '../../expressions/print/print-expression.ts';
import {
  operandSql,
  readVariable,
  typeSql,
  variableCheck,
} from '../../expressions/print/print-operand.ts';
import { type DesiredObject, label } from '../../objects/state/state-object.ts';
import { type View, viewObject } from '../../objects/view.ts';
import { ident, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { BoolExp, Operand } from '../../types/expressions.ts';
import type { Preset, Reference } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import type { Compiled, CompileScope } from '../compiled.ts';
import { printReference } from '../print-reference.ts';

/** The role and the user-defined view for which views for writing are made. */
export interface WriteSubject {
  readonly access: TableAccess;
  readonly scope: CompileScope;
}

/** The content of a generated view: the columns and rows of the user-defined view that it shows. */
export interface ViewParts {
  readonly write: ViewWrite | 'seen';
  readonly columns: readonly string[];
  readonly conditions: readonly BoolExp[];
  /** Foreign keys that must refer to visible rows. Each adds a condition to the view. */
  readonly references?: readonly Reference[];
  /**
   * The conditions that new rows must satisfy. `local`: those of this view. `cascaded`: also those of the views below
   * it.
   */
  readonly checked: View['checked'];
  readonly presets?: readonly Preset[];
  readonly more?: readonly SqlText[];
}

/** Makes a generated view that shows rows of the user-defined view under conditions. */
export function conditionView(subject: WriteSubject, parts: ViewParts): Compiled {
  const { access, scope } = subject;
  const { table } = access;
  const { write, conditions, references = [], presets = [], more = [], checked } = parts;
  const row = ident('r');
  const isNew = write === 'insert' || write === 'return';
  const printing = { ...scope, written: isNew };
  const present = variableCheck(variablesOf([], presets), scope.gatewayRole);
  const printed = [
    ...conditions.map((one) => printRule(one, table, printing, row)),
    ...references.map((one) => printReference(one, table, printing, row)),
  ];
  const where = [...(present ? [present] : []), ...printed.map(({ text }) => text)];
  const columns = [...columnsOf(table, parts.columns, row), ...more];
  const led = references.flatMap(({ relationship }) => relationship.columns);
  const read = [
    ...parts.columns,
    ...conditions.flatMap(filterColumns),
    ...led.map(({ local }) => local),
  ];
  const filter = where.length > 0 ? sql` where ${join(where, ' and ')}` : sql``;
  const query = sql`select ${join(columns, ', ')} from ${qualified(table)} as ${row}${filter}`;
  return {
    objects: [makeView(subject, { write, query, checked, presets })],
    needs: [...printed.flatMap(({ views }) => views), { table, columns: read }],
  };
}

/**
 * Prints columns as `r.c as c`, in the order of the table. An empty list gives the first column, because a view needs
 * at least one column.
 */
export function columnsOf(
  table: TableModel,
  names: readonly string[],
  row: SqlText,
): readonly SqlText[] {
  const all = [...table.columns.keys()];
  const shown = all.filter((name) => names.includes(name));
  return (shown.length > 0 ? shown : all.slice(0, 1)).map(
    (name) => sql`${row}.${ident(name)} as ${ident(name)}`,
  );
}

/** Makes a generated view for writing from a given query. */
export function makeView(
  subject: WriteSubject,
  parts: Pick<ViewParts, 'write' | 'checked' | 'presets'> & { readonly query: SqlText },
): DesiredObject {
  const { access, scope } = subject;
  const { role, table, rules } = access;
  const { write, query, checked, presets = [] } = parts;
  const name = writeView(role, table, write);
  const defaults = presets.map(
    ({ column, value }) =>
      sql`alter view ${qualified(name)} alter column ${ident(column)} set default ${defaultSql(value, scope)}`,
  );
  return viewObject({
    name,
    label: `view ${name.name} by which ${role.name} writes ${label(table)}`,
    owner: scope.policyRole,
    query,
    checked,
    defaults,
    position: (rules.insert ?? rules.update ?? rules.delete)?.position,
  });
}

/**
 * Prints a value as a column default. A default cannot contain the subselect by which rules read a variable. When the
 * variable is missing, the check of the view refuses the row.
 */
function defaultSql(value: Operand, scope: CompileScope): SqlText {
  if (value.kind === 'variable') {
    return sql`${readVariable(value.name, scope.gatewayRole)}::${typeSql(value.type)}`;
  }
  if (value.kind === 'array') {
    const items = value.items.map((item) => defaultSql(item, scope));
    return sql`array[${join(items, ', ')}]::${typeSql(value.type)}`;
  }
  if (value.kind === 'column') throw new TypeError('a preset cannot be a column');
  return operandSql(value, scope.gatewayRole);
}
