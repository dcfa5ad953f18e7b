import pg from 'pg';
import { qualified } from '../../../permissions/text/sql-text.ts';
import type { Model, RoleModel, TablePermissions } from '../../../permissions/types/model.ts';
import type { VariableUse } from '../../../permissions/types/names.ts';
import type { TableModel } from '../../../permissions/types/tables.ts';

/** A statement that must come to nothing, because a variable of its rule is not there. */
export interface Attempt {
  readonly role: string;
  /** The variable that is missing. */
  readonly missing: string;
  /** All variables of the rule. */
  readonly uses: readonly string[];
  readonly sql: string;
}

/** One attempt for each rule and each variable that it names. None of them needs a right to read. */
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
    // What is inherited from several is closed part by part.
    ...of(role.inherits.length > 0 ? undefined : rules.select, `select 1 from ${name}`),
    ...of(rules.insert, `insert into ${name} default values`),
    ...(column === undefined
      ? []
      : of(rules.update, `update ${name} set ${pg.escapeIdentifier(column)} = default`)),
    ...of(rules.delete, `delete from ${name}`),
  ];
}
