import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { tableKey } from '../catalog/catalog.ts';
import { compileState } from '../compile/compile-state.ts';
import { callsOfAll } from '../compile/computed-fields/call-grants.ts';
import type { CompileTarget } from '../compile/role-objects.ts';
import { migrate, pendingMigrations } from '../migrate/migrate.ts';
import { type LoadedModel, type LoadModelOptions, resolveModel } from '../model/load-model.ts';
import { inspectState, type StateAhead } from '../objects/inspect-state.ts';
import {
  compiledRoles,
  type FoundRoles,
  type GatewayLogin,
  inspectRoles,
} from '../objects/roles/role.ts';
import {
  type Installation,
  noInstallation,
  readInstallation,
} from '../objects/state/installation.ts';
import type { DesiredObject, FoundObject } from '../objects/state/state-object.ts';
import { gatewaySchemas, systemRoles } from '../text/object-names.ts';
import { runInSlices } from '../types/steps.ts';
import { makePlan, type Plan } from './make-plan.ts';

const gatewayMigrations = fileURLToPath(new URL('../../sql/gateway/', import.meta.url));

/** Runs the migrations that create the schemas of the gateway. */
export async function migrateGateway(client: pg.ClientBase): Promise<string[]> {
  return migrate(client, gatewayMigrations, 'gateway');
}

/**
 * Returns whether no migration of the gateway is pending. The answer is no when the login may not read which ones have
 * run.
 */
export async function isMigrated(client: pg.ClientBase): Promise<boolean> {
  return (await pendingMigrations(client, gatewayMigrations, 'gateway')).length === 0;
}

export interface PrepareOptions extends Omit<LoadModelOptions, 'client'> {
  /** Name of the gateway's login. Default: `<prefix>gateway_login`, which Rowgate creates and manages. */
  readonly login?: string | undefined;
  /** Schemas that the migrations of the application create; default none. */
  readonly applicationSchemas?: readonly string[] | undefined;
}

type SeeOptions = Pick<PrepareOptions, 'login' | 'applicationSchemas'>;

/** The metadata and the state of the database at one moment: the input of the lints. */
export interface Seen {
  readonly loaded: LoadedModel;
  readonly installation: Installation;
  readonly login: GatewayLogin;
  readonly roles: FoundRoles;
  /** Oids of the tables that the metadata manages, and of all tables below them. */
  readonly tables: readonly number[];
  /** Every schema that Rowgate's own migrations create, including those of the application. */
  readonly ownSchemas: readonly string[];
}

/** The metadata, the state of the database, and the plan that makes the database match the metadata. */
export interface Prepared extends Seen {
  readonly desired: readonly DesiredObject[];
  readonly found: readonly FoundObject[];
  readonly plan: Plan;
}

/**
 * Settings for compiling and comparing. Names in generated SQL resolve only in pg_catalog. Postgres reads and prints
 * the literals of rules as in requests, whichever role runs apply. Just-in-time compilation of the large queries on the
 * catalogs would take longer than the queries.
 */
export const pinSettings = `select pg_catalog.set_config(name, value, true) from (values
  ('search_path', 'pg_catalog, pg_temp'), ('timezone', 'UTC'), ('datestyle', 'ISO, MDY'), ('intervalstyle', 'postgres'),
  ('jit', 'off')) s(name, value)`;

/**
 * Loads the metadata, inspects the database and compares both. Must run inside a transaction with the settings of
 * `pinSettings`.
 * @throws MetadataError
 */
export async function prepare(client: pg.ClientBase, options: PrepareOptions): Promise<Prepared> {
  return prepareLoaded(client, await resolveModel({ ...options, client }), options);
}

/**
 * Does the same as `prepare`, with metadata that is already loaded. A gateway may call it, because the only right it
 * needs is EXECUTE on rowgate_api.installation().
 */
export async function prepareLoaded(
  client: pg.ClientBase,
  loaded: LoadedModel,
  options: SeeOptions & CompareOptions,
): Promise<Prepared> {
  return prepareSeen(client, await seeLoaded(client, loaded, options), options);
}

export interface CompareOptions {
  /** Objects of the database, if the caller has read them. */
  readonly ahead?: StateAhead | undefined;
  /** Further queries that run while this process compiles. */
  readonly meanwhile?: ((seen: Seen) => Promise<void>) | undefined;
}

/** Compares what `seeLoaded` has read with the objects of the database. */
export async function prepareSeen(
  client: pg.ClientBase,
  seen: Seen,
  { ahead, meanwhile }: CompareOptions = {},
): Promise<Prepared> {
  const { model, catalog } = seen.loaded;
  const target = await compileTarget(client, seen);
  // Postgres reads while this process compiles. Promise.all reports a failure of either at once.
  const query = async () => {
    const found = await inspectState(seen.roles, ahead);
    await meanwhile?.(seen);
    return found;
  };
  const [found, desired] = await Promise.all([
    query(),
    runInSlices(compileState(model, catalog, target)),
  ]);
  return { ...seen, desired, found, plan: makePlan(desired, found) };
}

/** Returns the objects that the metadata needs, without reading the objects of the database. */
export async function compileSeen(
  client: pg.ClientBase,
  seen: Seen,
): Promise<readonly DesiredObject[]> {
  const { model, catalog } = seen.loaded;
  return runInSlices(compileState(model, catalog, await compileTarget(client, seen)));
}

/** Returns the facts about the database that the compiled objects depend on. */
export async function compileTarget(
  client: pg.ClientBase,
  { installation: { id, viewSchemas }, login, loaded }: Seen,
): Promise<CompileTarget> {
  const openSchemas = await schemasOpenToAll(client);
  const { serverVersion } = loaded.catalog.data;
  return { installation: id, serverVersion, login, openSchemas, viewSchemas };
}

/**
 * Reads the state of the database again, and makes a new plan. Only valid while neither the metadata nor the catalog
 * has changed since `before`.
 */
export async function compareAgain(client: pg.ClientBase, before: Prepared): Promise<Prepared> {
  const seen = await seeLoaded(client, before.loaded, { login: before.login.name });
  const found = await inspectState(seen.roles);
  const { desired, ownSchemas } = before;
  return { ...seen, ownSchemas, desired, found, plan: makePlan(desired, found) };
}

/** Reads the state of the database that the lints need. It does not compile the metadata. */
export async function seeLoaded(
  client: pg.ClientBase,
  loaded: LoadedModel,
  { login: givenLogin, applicationSchemas = [] }: SeeOptions,
): Promise<Seen> {
  const { model, catalog } = loaded;
  const made = `${model.rolePrefix}gateway_login`;
  const name = givenLogin ?? made;
  const login: GatewayLogin = { name, managed: name === made };
  const installation = (await readInstallation(client)) ?? noInstallation;
  const { gateway, policy } = systemRoles(model);
  const system = [gateway, policy, ...(login.managed ? [name] : [])];
  const tables = managedOids(loaded);
  const roles = await inspectRoles(client, {
    installation,
    roles: [...compiledRoles(model), ...system],
    exclusiveRoles: system,
    login: name,
    tables,
    callsOfAll: callsOfAll(model),
    serverVersion: catalog.data.serverVersion,
  });
  const viewSchemas = installation.viewSchemas.values();
  const ownSchemas = [...gatewaySchemas, ...applicationSchemas, ...viewSchemas];
  return { loaded, installation, login, roles, tables, ownSchemas };
}

/** Returns the oids of all tables that rules manage, and of the tables below them. */
export function managedOids({ model, catalog }: LoadedModel): readonly number[] {
  const keys = new Set(
    [...model.tables.values()].flatMap((table) => {
      const key = tableKey(table.schema, table.name);
      return [key, ...(catalog.tables.get(key)?.descendants ?? [])];
    }),
  );
  return catalog.data.tables
    .filter((table) => keys.has(tableKey(table.schema, table.name)))
    .map((table) => table.oid);
}

/**
 * Returns the schemas that PUBLIC may use and on which Rowgate's owner cannot grant USAGE, such as `public` when it
 * belongs to a superuser. Plans contain no grants on these schemas. The result is the same for every login. Before
 * Rowgate has an owner, the current login takes its place.
 */
export async function schemasOpenToAll(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(`
select n.nspname as name from pg_catalog.pg_namespace n
where not pg_catalog.has_schema_privilege(
    coalesce((select o.nspowner from pg_catalog.pg_namespace o where o.nspname = 'rowgate'), (select r.oid from pg_catalog.pg_roles r where r.rolname = current_user)),
    n.oid, 'USAGE WITH GRANT OPTION')
  and exists (select 1 from pg_catalog.aclexplode(n.nspacl) x where x.grantee = 0 and x.privilege_type = 'USAGE')`);
  return new Set(rows.map((row) => row.name));
}
