import type { Report } from '../../diagnostics.ts';
import type { RoleModel, TablePermissions } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';

interface Subject {
  readonly role: RoleModel;
  readonly table: TableModel;
  readonly rules: TablePermissions;
  readonly report: Report;
}

/**
 * Reports roles that may write an enum table. Such a write changes the GraphQL schema of every role that uses the enum.
 */
export function enumWriters({ role, table, rules, report }: Subject): void {
  if (!table.enum) return;
  const verbs = (['insert', 'update', 'delete'] as const).filter((verb) => rules[verb]);
  const [first] = verbs;
  if (first === undefined) return;
  report.warning(
    'RG_ENUM_WRITABLE',
    rules[first]?.position,
    `${role.name} may ${verbs.join(' and ')} rows of the enum table ${table.schema}.${table.name}, and so change the GraphQL schema of every role that uses the enum`,
    'leave these rules to admin, or leave is_enum out',
  );
}
