import { accessPathOf, hasField } from '../model/computed-fields/computed-access.ts';
import { apiSchema, computedViewName, type ObjectName } from '../text/object-names.ts';
import type { Model, RoleModel, TablePermissions } from '../types/model.ts';
import type { ComputedField, TableModel } from '../types/tables.ts';
import { fieldCall, type OwnerCall } from './owner-calls.ts';

/**
 * A way in which a role may get the value of a computed field.
 * - `itself`: the role calls the user's function with the row.
 * - `by key`: the role calls a generated function with the primary key of the row.
 * - `view`: the role reads a generated view that has a column for the field, and finds the row by its primary key.
 * - `column`: the role reads a column of its rows view, the view through which it reads the table.
 */
export type ComputedAccess = { readonly field: ComputedField } & (
  | { readonly path: 'itself' }
  | { readonly path: 'by key'; readonly call: OwnerCall }
  | { readonly path: 'view'; readonly view: ObjectName }
  | { readonly path: 'column'; readonly column: string }
);

/** Returns the computed fields that a role may select, by name. */
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
 * Returns the name of the generated view that shows a role the computed fields of a table. The view serves roles that
 * cannot pass the row to the function themselves: Postgres lets a role do that only when it may read every column. It
 * also keeps a role from passing a made-up row to a function that runs with its owner's rights.
 */
function computedView(role: RoleModel, table: TableModel): ObjectName {
  return { schema: apiSchema, name: computedViewName(role.postgresName, table.key) };
}

/**
 * Returns the column of the rows view that holds a computed field: the field's name in the metadata. When a column of
 * the table already has that name, `()` is appended, because a view cannot have two columns of one name.
 */
function columnName({ columns }: TableModel, { name }: ComputedField): string {
  return columns.has(name) ? `${name}()` : name;
}
