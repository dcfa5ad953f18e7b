import { loginViewNames } from '../access/login-view-names.ts';
import type { RoleAccess, TableAccess } from '../access/table-access.ts';
import { callItself } from '../expressions/print/print-call.ts';
import { loginSchemaObject } from '../objects/login-schema.ts';
import { loginViewObject } from '../objects/login-view.ts';
import { grantObject } from '../objects/privileges/grant.ts';
import { schemaUsage } from '../objects/privileges/schema-usage.ts';
import type { DesiredObject } from '../objects/state/state-object.ts';
import { ident, join, qualified, type SqlText, sql } from '../text/sql-text.ts';
import type { TableKey } from '../types/names.ts';
import type { SelectRule } from '../types/rules.ts';
import type { CompileScope } from './compiled.ts';
import { keyParameters } from './key-parameters.ts';

/** The first version of Postgres in which a view can read with the rights of the caller. */
export const loginViewsVersion = 150000;

interface LoginViewScope extends CompileScope {
  /** The schema of the views. */
  readonly schema: string;
  readonly names: ReadonlyMap<TableKey, string>;
}

/**
 * Returns the objects through which direct logins of a role read: a schema, a view for each readable table, and the
 * grants on both.
 */
export function loginViewObjects(
  { role, tables }: RoleAccess,
  scope: CompileScope & Pick<LoginViewScope, 'schema'>,
): readonly DesiredObject[] {
  const { schema } = scope;
  const names = loginViewNames(scope.tables);
  return [
    loginSchemaObject(schema, role.name),
    schemaUsage(schema, role.postgresName),
    ...[...tables.values()].flatMap((access) => viewOf(access, { ...scope, names })),
  ];
}

function viewOf(access: TableAccess, scope: LoginViewScope): readonly DesiredObject[] {
  const { role, table, rules, rows } = access;
  const name = scope.names.get(table.key);
  const { select } = rules;
  if (!select || name === undefined) return [];
  const columns = [
    ...[...table.columns.keys()]
      .filter((column) => select.columns.includes(column))
      .map((column) => sql`r.${ident(column)} as ${ident(column)}`),
    ...computedColumns(access, select, scope),
  ];
  if (columns.length === 0) return [];
  const { position } = select;
  const on = { schema: scope.schema, name };
  const query = sql`select ${join(columns, ', ')} from ${qualified(rows ?? table)} as r`;
  return [
    loginViewObject({ name: on, query, position }),
    grantObject({ privilege: 'SELECT', on, to: role.postgresName, position }),
  ];
}

/**
 * Returns the columns for a role's computed fields. Fields that return rows, and fields with arguments of the client,
 * are left out.
 */
function computedColumns(
  access: TableAccess,
  select: SelectRule,
  scope: LoginViewScope,
): readonly SqlText[] {
  const { table, computed } = access;
  return select.computedFields.flatMap((name) => {
    const value = computedValue(access, computed.get(name), scope);
    const as = table.columns.has(name) ? `${name}()` : name;
    return value ? [sql`${value} as ${ident(as)}`] : [];
  });
}

function computedValue(
  { table }: TableAccess,
  found: ReturnType<TableAccess['computed']['get']>,
  { catalog, session }: LoginViewScope,
): SqlText | undefined {
  if (!found || found.field.arguments.some(({ kind }) => kind === 'client')) return undefined;
  switch (found.path) {
    case 'column':
      return sql`r.${ident(found.column)}`;
    case 'itself':
      return callItself({ field: found.field, asOwner: false }, { row: sql`r.*`, session });
    case 'view': {
      const columns = table.primaryKey;
      const nameOf = (index: number) => columns[index] ?? '';
      const givenAs = (name: string) => sql`c.${ident(name)}`;
      const keys = keyParameters({ table, catalog, columns, nameOf, givenAs });
      const same = join(
        keys.map(({ equal }) => equal),
        ' and ',
      );
      return sql`(select c.${ident(found.field.name)} from ${qualified(found.view)} as c where ${same})`;
    }
    default:
      return undefined;
  }
}
