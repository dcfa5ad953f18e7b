import type pg from 'pg';
import { compiledRoles } from '../objects/roles/role.ts';
import { systemRoles } from '../text/object-names.ts';
import { identifiers, join, literal, sql } from '../text/sql-text.ts';
import type { Model, RoleModel } from '../types/model.ts';

/** A caller as whom the owner runs statements in a transaction of its own. */
export interface ActingCaller {
  readonly role: RoleModel;
  readonly variables: ReadonlyMap<string, string>;
}

/** The model whose rules are in force, and the search path of requests. */
export interface RequestScope {
  readonly model: Model;
  readonly searchPath: string;
}

/**
 * Lets the login act as every role until the transaction ends. Policies read session variables only in sessions of a
 * member of the gateway role, see `readVariable`.
 */
export async function joinRoles(client: pg.ClientBase, model: Model): Promise<void> {
  const roles = [...compiledRoles(model), systemRoles(model).gateway];
  await client.query(sql`grant ${identifiers(roles)} to current_user`.text);
}

/** Sets the session variables and the other settings of a request, except the role, until the transaction ends. */
export async function setRequest(
  client: pg.ClientBase,
  caller: ActingCaller,
  scope: RequestScope,
): Promise<void> {
  await setAll(client, requestSettings(caller, scope));
}

/** Sets the role and the settings of a request until the next rollback to a savepoint. */
export async function actAs(
  client: pg.ClientBase,
  caller: ActingCaller,
  scope: RequestScope,
): Promise<void> {
  const role = ['role', caller.role.postgresName] as const;
  await setAll(client, [...requestSettings(caller, scope), role]);
}

type Setting = readonly [name: string, value: string];

async function setAll(client: pg.ClientBase, settings: readonly Setting[]): Promise<void> {
  const calls = settings.map(
    ([name, value]) => sql`pg_catalog.set_config(${literal(name)}, ${literal(value)}, true)`,
  );
  await client.query(sql`select ${join(calls, ', ')}`.text);
}

function requestSettings(caller: ActingCaller, { model, searchPath }: RequestScope) {
  const variables = model.variables.map(
    (name) => [`gql.${name}`, caller.variables.get(name) ?? ''] as const,
  );
  return [
    ...[['TimeZone', 'UTC'] as const, ['search_path', searchPath] as const],
    ...variables,
    ['rowgate.session', sessionJson(caller, variables, model)] as const,
  ];
}

/** Returns the session variables as functions with a session argument receive them. */
function sessionJson(
  { role }: ActingCaller,
  variables: readonly Setting[],
  { headerPrefix }: Model,
): string {
  const prefix = headerPrefix.toLowerCase();
  const given = variables
    .filter(([, value]) => value !== '')
    .map(([name, value]) => [prefix + name.slice('gql.'.length).replaceAll('_', '-'), value]);
  return JSON.stringify(Object.fromEntries([[`${prefix}role`, role.name], ...given]));
}
