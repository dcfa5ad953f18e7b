import { readVariable } from '../../expressions/print/print-operand.ts';
import { headerOf } from '../../text/names.ts';
import { systemRoles } from '../../text/object-names.ts';
import { join, literal, sql } from '../../text/sql-text.ts';
import type { Model } from '../../types/model.ts';
import { apiFunctionObject } from '../functions/api-function.ts';
import { handOver } from '../functions/function.ts';
import { type DesiredObject, desired } from '../state/state-object.ts';

/**
 * SQL with which the capture functions of events read the role and the session variables. Only their owner may execute
 * this function.
 */
export const eventSession = sql`rowgate_api.event_session()`;

/**
 * Makes the function that returns the session that changed the rows, in Hasura's format: `{"x-gql-role": "investor",
 * "x-gql-user-id": "…"}`. It returns null when the session has no role of the metadata.
 *
 * The function cannot use current_user, because inside a function with its owner's rights, current_user is the owner.
 * So it uses the role that the session switched to with `set role`, which only members may do. Otherwise it uses a role
 * that the login inherits. A superuser inherits every role, so for a superuser it returns null.
 */
export function eventSessionObject(model: Model): DesiredObject {
  const { headerPrefix, variables } = model;
  const { gateway } = systemRoles(model);
  const roles = [...model.roles.values()];
  const names = Object.fromEntries(roles.map((role) => [role.postgresName, role.name]));
  const postgresNames = join(
    roles.map((role) => literal(role.postgresName)),
    ', ',
  );
  const known = sql`${literal(JSON.stringify(names))}::pg_catalog.jsonb`;
  const values = variables.map(
    (name) => sql`,\n    ${literal(headerOf(name, headerPrefix))}, ${readVariable(name, gateway)}`,
  );
  const pairs = sql`${literal(`${headerPrefix.toLowerCase()}role`)}, role`;
  const made = apiFunctionObject({
    signature: 'event_session()',
    target: eventSession,
    head: eventSession,
    returns: sql`pg_catalog.jsonb`,
    traits: sql`language plpgsql stable security invoker
  set search_path = pg_catalog, pg_temp`,
    body: sql`
declare
  setting pg_catalog.text := pg_catalog.current_setting('role');
  who pg_catalog.name := case setting when 'none' then session_user else setting::pg_catalog.name end;
  role pg_catalog.text := ${known} operator(pg_catalog.->>) who::pg_catalog.text;
begin
  if role is null then
    select ${known} operator(pg_catalog.->>) r.rolname::pg_catalog.text into role
    from pg_catalog.pg_roles r
    where r.rolname operator(pg_catalog.=) any (array[${postgresNames}]::pg_catalog.name[])
      and pg_catalog.pg_has_role(who, r.oid, 'USAGE')
      and not exists (select from pg_catalog.pg_roles s where s.rolname operator(pg_catalog.=) who and s.rolsuper)
    order by r.rolname limit 1;
  end if;
  if role is null then
    return null;
  end if;
  return pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_object(array[${pairs}${join(values, '')}]::pg_catalog.text[]));
end`,
    comment: 'The role and variables of the session, for event triggers.',
  });
  const create = [...made.create, handOver(sql`function rowgate_api.event_session()`)];
  return desired({ ...made, create, annotate: made.annotate, alter: create });
}
