import pg from 'pg';
import { qualified } from '../../../permissions/text/sql-text.ts';
import type { Model, RoleModel, TablePermissions } from '../../../permissions/types/model.ts';
import type { VariableUse } from '../../../permissions/types/names.ts';
import type { TableModel } from '../../../permissions/types/tables.ts';

/** A statement that must have no effect, because a variable of its rule is missing. */
export interface Attempt {
  readonly role: string;
  /** The missing variable. */
  readonly missing: string;
  /** All variables of the rule. */
  readonly uses: readonly string[];
  readonly sql: string;
}

/** Returns one statement for each rule and each of its variables. No statement needs a privilege to read a column. */
export function missingVariableAttempts(model: Model): readonly Attempt[] {
  return [...model.roles.values()].flatMap((role) =>
    [...role.tables].flatMap(([key, rules]) => {
      const table = model.tables.get(key);
      return table ? attemptsOn(role, table, rules) : [];
    }),
  );
}

function attemptsOn(
  role: RoleModel,
  table: TableModel,
  rules: TablePermissions,
): readonly Attempt[] {
  const name = qualified(table).text;
  const [column] = rules.update?.columns ?? [];
  const of = (rule: { readonly variables: readonly VariableUse[] } | undefined, sql: string) => {
    const uses = [...new Set((rule?.variables ?? []).map((use) => use.variable))];
    return uses.map((missing) => ({ role: role.postgresName, missing, uses, sql }));
  };
  return [
    // A rule inherited from several roles has one part for each role. A missing variable closes only the part of its
    // role.
    ...of(role.inherits.length > 0 ? undefined : rules.select, `select 1 from ${name}`),
    ...of(rules.insert, `insert into ${name} default values`),
    ...(column === undefined
      ? []
      : of(rules.update, `update ${name} set ${pg.escapeIdentifier(column)} = default`)),
    ...of(rules.delete, `delete from ${name}`),
  ];
}
