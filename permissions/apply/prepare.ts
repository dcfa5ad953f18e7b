import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { tableKey } from '../catalog/catalog.ts';
import { compileState, managedTables } from '../compile/compile-state.ts';
import { systemRoles } from '../compile/names.ts';
import { compiledRoles, type GatewayLogin, roleComment } from '../compile/roles.ts';
import { type LoadedModel, type LoadModelOptions, resolveModel } from '../load-model.ts';
import { migrate } from '../migrate/migrate.ts';
import { makePlan, type Plan } from '../plan/make-plan.ts';
import { type FoundState, inspectState } from '../state/inspect-state.ts';
import type { DesiredObject } from '../state/types.ts';
import { installationId } from './installation.ts';

const gatewayMigrations = fileURLToPath(new URL('../../sql/gateway/', import.meta.url));

/** Brings the gateway's own schemas into the database. */
export async function migrateGateway(client: pg.ClientBase): Promise<string[]> {
  return migrate(client, gatewayMigrations, 'gateway');
}

export interface PrepareOptions extends Omit<LoadModelOptions, 'client'> {
  /** Absent: `<prefix>gateway_login`, made and kept by Rowgate. */
  readonly login?: string | undefined;
}

/** Everything that apply, plan and check look at, of one moment. */
export interface Prepared {
  readonly loaded: LoadedModel;
  readonly login: GatewayLogin;
  readonly desired: readonly DesiredObject[];
  readonly found: FoundState;
  readonly plan: Plan;
  readonly tables: readonly number[];
}

/** Names in generated SQL are found here or not at all. */
export const pinSearchPath =
  "select pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true)";

/**
 * Loads the metadata and compares it with the database. Must run inside a transaction with a pinned
 * search_path.
 * @throws MetadataError
 */
export async function prepare(client: pg.ClientBase, options: PrepareOptions): Promise<Prepared> {
  const loaded = await resolveModel({ ...options, client });
  const { model, catalog } = loaded;
  const made = `${model.rolePrefix}gateway_login`;
  const name = options.login ?? made;
  const login: GatewayLogin = { name, managed: name === made };
  const { serverVersion } = catalog.data;
  const installation = await installationId(client);
  const openSchemas = await schemasOpenToAll(client);
  const desired = compileState(model, catalog, { installation, serverVersion, login, openSchemas });
  const { gateway, policy } = systemRoles(model);
  const managed = managedTables(model, catalog);
  const tables = catalog.data.tables
    .filter((table) => managed.has(tableKey(table.schema, table.name)))
    .map((table) => table.oid);
  const found = await inspectState(client, {
    roleComment: roleComment(installation),
    roles: [...compiledRoles(model), gateway, policy, ...(login.managed ? [login.name] : [])],
    exclusiveRoles: [gateway, policy, ...(login.managed ? [login.name] : [])],
    login: login.name,
    tables,
    serverVersion,
  });
  return { loaded, login, desired, found, plan: makePlan(desired, found.objects), tables };
}

/** Schemas that everybody may use and that are not this login's to grant, as `public` is where a superuser owns it. */
async function schemasOpenToAll(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(`
select n.nspname as name from pg_catalog.pg_namespace n
where not pg_catalog.has_schema_privilege(n.oid, 'USAGE WITH GRANT OPTION')
  and exists (select 1 from pg_catalog.aclexplode(n.nspacl) x where x.grantee = 0 and x.privilege_type = 'USAGE')`);
  return new Set(rows.map((row) => row.name));
}
