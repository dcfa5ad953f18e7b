import type pg from 'pg';
import type { Diagnostic } from '../diagnostics.ts';
import { MetadataError } from '../errors.ts';
import { type LoadedModel, resolveModel } from '../model/load-model.ts';
import { readStateAhead, type StateAhead } from '../objects/inspect-state.ts';
import {
  type CompareOptions,
  managedOids,
  type Prepared,
  type PrepareOptions,
  prepareSeen,
  type Seen,
  seeLoaded,
} from '../plan/prepare.ts';
import { gatewaySchemas } from '../text/object-names.ts';
import { type CommandLogin, readLogin } from './login.ts';
import { mayNotAdminister, mayNotCreateRoles, missingRight } from './missing-rights.ts';
import {
  exclusiveOwner,
  name,
  type ObjectOwner,
  own,
  parameterTypes,
  qualifiedName,
  relationKind,
  type Signature,
  signature,
} from './statements.ts';
import { tablesOfOthers } from './table-owners.ts';

/**
 * Does the same as `prepare` for the login of the command line. First refuses a login without the rights of the owner of
 * Rowgate's schemas, because it could read nothing there.
 * @param meanwhile further queries that run while this process compiles
 * @throws MetadataError for mistakes in the metadata, or RG_NOT_OWNER with everything that the login lacks
 */
export async function prepareAsOwner(
  client: pg.ClientBase,
  options: PrepareOptions,
  meanwhile?: CompareOptions['meanwhile'],
): Promise<Prepared> {
  let reading: Promise<StateAhead> | undefined;
  // Postgres prints its objects while this process parses files and builds the model.
  const onCatalog = () => {
    reading = readStateAhead(client);
    reading.catch(() => {});
  };
  const loading = resolveModel({ ...options, client, onCatalog });
  // A connection runs one query after the other, so the next one waits for these, also after a mistake in the files.
  const [loaded] = await Promise.allSettled([loading]);
  const [ahead] = await Promise.allSettled([reading]);
  if (loaded.status === 'rejected') throw loaded.reason;
  if (ahead.status === 'rejected') throw ahead.reason;
  const seen = await seeLoadedAsOwner(client, loaded.value, options);
  return prepareSeen(client, seen, { ahead: ahead.value, meanwhile });
}

/**
 * Reads the state of the database that the lints need, for the login of the command line. Refuses it like
 * `prepareAsOwner`.
 */
export async function seeLoadedAsOwner(
  client: pg.ClientBase,
  loaded: LoadedModel,
  options: PrepareOptions,
): Promise<Seen> {
  await refuseClosed(client, loaded);
  return seeLoaded(client, loaded, options);
}

interface OwnObject extends ObjectOwner {
  /** The object in the syntax of `alter … owner to`. */
  readonly kind: string;
  readonly schema: string | null;
  readonly name: string;
  /** The types of a function's parameters; null for other objects. */
  readonly parameters: Signature['parameters'] | null;
}

/**
 * $1: Rowgate's schemas. The query returns their objects that the login may not change. When another role installed
 * Rowgate, these can be all of them; otherwise only schemas and relations of a superuser, because a lint reports those
 * of other owners. Objects owned by Rowgate's roles are skipped: apply replaces them if it administers these roles.
 */
const query = `
with object as (
  select 'schema' as kind, null as schema, n.nspname as name, n.nspowner as owner, null::json as parameters
  from pg_catalog.pg_namespace n where n.nspname = any ($1::text[])
  union all
  select c.relkind::text, n.nspname, c.relname, c.relowner, null
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'f')
  union all
  select 'function', n.nspname, p.proname, p.proowner, ${parameterTypes}
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = any ($1::text[])
)
select t.kind, t.schema, t.name, t.parameters, o.rolname as owner, t.owner <> r.nspowner or ${exclusiveOwner} as exclusive
from object t
join pg_catalog.pg_roles o on o.oid = t.owner
join pg_catalog.pg_namespace r on r.nspname = 'rowgate'
join pg_catalog.pg_roles m on m.rolname = current_user
where not pg_catalog.pg_has_role(t.owner, 'USAGE')
  and (not pg_catalog.pg_has_role(r.nspowner, 'USAGE') or o.rolsuper and t.kind <> 'function')
  and coalesce(pg_catalog.shobj_description(o.oid, 'pg_authid') not like 'rowgate:%', true)
order by t.kind <> 'schema', t.schema, t.name`;

/** Returns Rowgate's own objects that the connected login may not change. */
export async function closedObjects(client: pg.ClientBase): Promise<readonly OwnObject[]> {
  const { rows } = await client.query<OwnObject>(query, [gatewaySchemas]);
  return rows;
}

async function refuseClosed(client: pg.ClientBase, loaded: LoadedModel): Promise<void> {
  const closed = await closedObjects(client);
  if (closed.length === 0) return;
  const login = await readLogin(client);
  const { model } = loaded;
  const tables = await tablesOfOthers(client, managedOids(loaded), { model, applier: login.name });
  throw new MetadataError([
    ...closedFindings(closed, login),
    ...(login.createsRoles ? [] : [mayNotCreateRoles(login)]),
    ...(await closedRoles(client, closed, { login, prefix: model.rolePrefix })),
    ...tables,
  ]);
}

/** Returns one finding per owner, because the objects of an owner are many. */
export function closedFindings(
  closed: readonly OwnObject[],
  login: CommandLogin,
): readonly Diagnostic[] {
  const owners = Map.groupBy(closed, (one) => one.owner);
  return [...owners].map(([owner, objects]) => {
    const statements = objects.flatMap((object) => own(targetOf(object), object, login));
    return missingRight(
      `login "${login.name}" may not change Rowgate's own objects, which belong to "${owner}"`,
      statements,
    );
  });
}

function targetOf({ kind, schema, name: object, parameters }: OwnObject): string {
  if (schema === null) return `schema ${name(object)}`;
  return parameters === null
    ? `${relationKind(kind)} ${qualifiedName({ schema, name: object })}`
    : `function ${signature({ schema, name: object, parameters })}`;
}

/**
 * Returns a finding for each of Rowgate's roles that the login does not administer. They matter only where objects
 * change their owner. Otherwise the login becomes a member of the present owner, and so an administrator of the roles
 * that this owner created.
 */
async function closedRoles(
  client: pg.ClientBase,
  closed: readonly OwnObject[],
  { login, prefix }: { readonly login: CommandLogin; readonly prefix: string },
): Promise<readonly Diagnostic[]> {
  if (login.serverVersion < 160000 || !closed.some((one) => one.exclusive)) return [];
  const { rows } = await client.query<{ role: string }>(
    `select r.rolname as role from pg_catalog.pg_roles r
     where pg_catalog.starts_with(r.rolname, $1) and pg_catalog.shobj_description(r.oid, 'pg_authid') like 'rowgate:%'
       and not pg_catalog.pg_has_role(r.oid, 'USAGE WITH ADMIN OPTION') order by 1`,
    [prefix],
  );
  return rows.map(({ role }) => mayNotAdminister(role, login));
}
