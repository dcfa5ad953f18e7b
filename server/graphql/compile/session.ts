import { type SQL, sql } from 'postgraphile/pg-sql2';
import { headerOf, type Model, type RoleModel } from '../../../permissions/index.ts';
import { jsonObject, TEXT } from './fragments.ts';
import { parameter } from './input/input.ts';

/** The variables that a request carries, by header, and its role: what functions with a session argument get. */
export function sessionObject(model: Model, role: RoleModel): SQL {
  const variables = model.variables.map((name) => {
    const setting = sql`${sql.literal(`gql.${name}`)}${TEXT}`;
    const value = sql`nullif(pg_catalog.current_setting(${setting}, true), ''${TEXT})`;
    return [headerOf(name, model.headerPrefix), value] as const;
  });
  const own = [
    `${model.headerPrefix.toLowerCase()}role`,
    sql`${parameter(() => role.name)}${TEXT}`,
  ];
  return sql`pg_catalog.json_strip_nulls(${jsonObject([...variables, own as [string, SQL]])})`;
}
