import { accessPathOf, hasField } from '../model/computed-fields/computed-access.ts';
import { apiSchema, computedViewName, type ObjectName } from '../text/object-names.ts';
import type { Model, RoleModel, TablePermissions } from '../types/model.ts';
import type { ComputedField, TableModel } from '../types/tables.ts';
import { fieldCall, type OwnerCall } from './owner-calls.ts';

/**
 * How a role gets a computed field of a row that it sees.
 * `itself`: it calls the function with the row.
 * `by key`: it calls a function of ours with the row's primary key.
 * `view`: it reads a view of ours, which has the row's primary key too.
 * `column`: it reads a column of the view by which it reads the rows.
 */
export type ComputedAccess = { readonly field: ComputedField } & (
  | { readonly path: 'itself' }
  | { readonly path: 'by key'; readonly call: OwnerCall }
  | { readonly path: 'view'; readonly view: ObjectName }
  | { readonly path: 'column'; readonly column: string }
);

/** The computed fields that a role may ask for, by name. */
export function computedAccess(
  role: RoleModel,
  table: TableModel,
  rules: TablePermissions,
  tables: Model['tables'],
): ReadonlyMap<string, ComputedAccess> {
  const { select } = rules;
  if (!select) return new Map();
  const pathOf = (field: ComputedField): readonly ComputedAccess[] => {
    switch (accessPathOf(field, select, table)) {
      case 'itself':
        return [{ field, path: 'itself' }];
      case 'by key':
        return [{ field, path: 'by key', call: fieldCall(role, table, field, tables) }];
      case 'view':
        return [{ field, path: 'view', view: computedView(role, table) }];
      case 'column':
        return [{ field, path: 'column', column: columnName(table, field) }];
      default:
        return [];
    }
  };
  const fields = [...table.computedFields.values()].filter((field) => hasField(rules, field));
  return new Map(fields.flatMap(pathOf).map((access) => [access.field.name, access]));
}

/**
 * The view of a table's computed fields for a role. A role may not hand a row to a function unless it reads every
 * column of it, nor a row of its own making to a function that acts with the rights of its owner.
 */
function computedView(role: RoleModel, table: TableModel): ObjectName {
  return { schema: apiSchema, name: computedViewName(role.postgresName, table.key) };
}

/** As in the metadata, unless a column, whose name in GraphQL is another, has that name. */
function columnName({ columns }: TableModel, { name }: ComputedField): string {
  return columns.has(name) ? `${name}()` : name;
}
