import { partsOf } from '../../expressions/visit.ts';
import { tableSchemas } from '../../model/tables/table-schemas.ts';
import type { Seen } from '../../plan/prepare.ts';
import { name } from '../../rights/statements.ts';
import { gatewaySchemas } from '../../text/object-names.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { Model } from '../../types/model.ts';
import { ourRoles } from '../inspection.ts';
import { queryLint } from '../query-lint.ts';

/**
 * $1: schemas that rules use, $2: Rowgate's roles, $3: schemas that apply creates. The query returns the roles besides
 * the owner that may create objects in these schemas.
 */
const query = `
select n.nspname as schema, coalesce(g.rolname, 'PUBLIC') as role,
  n.nspname = any ($3::text[]) as made,
  g.rolname = any ($2::text[]) as ours,
  x.grantee = 0 or g.rolname = any ($2::text[])
    or exists (select 1 from pg_catalog.pg_auth_members m join pg_catalog.pg_roles r on r.oid = m.roleid
      where m.member = g.oid and r.rolname = any ($2::text[]) and not g.rolcreaterole) as dangerous
from pg_catalog.pg_namespace n
cross join lateral pg_catalog.aclexplode(coalesce(n.nspacl, pg_catalog.acldefault('n', n.nspowner))) x
left join pg_catalog.pg_roles g on g.oid = x.grantee
where n.nspname = any ($1::text[]) and x.privilege_type = 'CREATE'
  and x.grantee <> n.nspowner and not coalesce(g.rolsuper, false) and coalesce(g.rolname <> current_user, true)
order by 1, 2`;

/**
 * Reports schemas that rules use and in which other roles may create objects, because such an object could hide an
 * object that a rule uses.
 */
export const writableSchemas = queryLint<{
  schema: string;
  role: string;
  /** Whether apply creates the schema, and so revokes the privilege itself. */
  made: boolean;
  dangerous: boolean;
  ours: boolean | null;
}>(
  {
    query,
    values: (seen) => [
      usedSchemas(seen),
      ourRoles(seen),
      [...gatewaySchemas, ...viewSchemas(seen)],
    ],
  },
  {
    severity: ({ dangerous }) => (dangerous ? 'error' : 'warning'),
    code: 'RG_SCHEMA_WRITABLE',
    message: ({ schema, role }) =>
      `${granteeOf(role)} may create objects in schema "${schema}", which rules use`,
    hint: ({ schema, role }) => `run: revoke create on schema "${schema}" from ${granteeOf(role)}`,
    statements: ({ schema, role, made, dangerous, ours }) =>
      dangerous && !ours && !made
        ? [`revoke create on schema ${name(schema)} from ${granteeOf(role)}`]
        : [],
  },
);

const granteeOf = (role: string) => (role === 'PUBLIC' ? 'PUBLIC' : name(role));

/**
 * Returns the schemas of the tables, types, operators and functions that rules name, and Rowgate's own schemas. Direct
 * logins search the schemas of their views first, so these count, too.
 */
function usedSchemas(seen: Seen): readonly string[] {
  return [...new Set([...schemasOfRules(seen.loaded.model), ...viewSchemas(seen)])];
}

function viewSchemas({ installation }: Seen): readonly string[] {
  return [...installation.viewSchemas.values()];
}

function schemasOfRules(model: Model): ReadonlySet<string> {
  const schemas = new Set(['rowgate', 'rowgate_api', 'rowgate_policy']);
  for (const table of model.tables.values()) {
    for (const schema of tableSchemas(table)) schemas.add(schema);
    // The body of a function may name objects of the function's own schema without writing the schema.
    for (const field of table.computedFields.values()) schemas.add(field.function.schema);
  }
  for (const called of model.functions.values()) schemas.add(called.function.schema);
  for (const role of model.roles.values()) {
    for (const rules of role.tables.values()) {
      for (const expression of [
        rules.select?.filter,
        rules.insert?.check,
        rules.update?.filter,
        rules.update?.check,
        rules.delete?.filter,
      ]) {
        for (const schema of expression ? operatorSchemas(expression) : []) schemas.add(schema);
      }
    }
  }
  schemas.delete('pg_catalog');
  return schemas;
}

function operatorSchemas(expression: BoolExp): readonly string[] {
  return partsOf(expression).flatMap((part) =>
    part.kind === 'compare' ? [part.operator.schema] : [],
  );
}
