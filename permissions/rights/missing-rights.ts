import type pg from 'pg';
import type { Diagnostic, Position } from '../diagnostics.ts';
import { tableSchemas } from '../model/tables/table-schemas.ts';
import { roleId } from '../objects/roles/role.ts';
import type { Change } from '../plan/make-plan.ts';
import { type Prepared, prepareSeen, type Seen } from '../plan/prepare.ts';
import { gatewaySchemas, systemRoles } from '../text/object-names.ts';
import type { Model } from '../types/model.ts';
import { type CommandLogin, readLogin } from './login.ts';
import {
  administer,
  name,
  parameterTypes,
  qualifiedName,
  type Signature,
  signature,
} from './statements.ts';

/** The environment of a check of rights. */
interface Scope {
  readonly client: pg.ClientBase;
  readonly login: CommandLogin;
  readonly prepared: Prepared;
  readonly changes: readonly Change[];
}

type Check = (scope: Scope) => Promise<readonly Diagnostic[]> | readonly Diagnostic[];

const checks: readonly Check[] = [
  createSchemas,
  createRoles,
  administerRoles,
  useSchemas,
  grantSchemas,
  grantSequences,
  grantFunctions,
  useLanguages,
];

/**
 * Returns the rights that the connected login lacks to run the plan, each with the statements that give it. Ownership of
 * tables is not among them: a lint reports it, because a running server must notice it, too.
 */
export async function missingRights(
  client: pg.ClientBase,
  prepared: Prepared,
): Promise<readonly Diagnostic[]> {
  const { changes } = prepared.plan;
  if (changes.length === 0) return [];
  const login = await readLogin(client);
  if (login.superuser) return [];
  const found: Diagnostic[] = [];
  for (const check of checks) found.push(...(await check({ client, login, prepared, changes })));
  return found;
}

/**
 * Returns the rights that the connected login lacks to apply the metadata. The plan takes longer than all lints, so it is
 * made only when it can need rights: not for a superuser, and not when the metadata was applied already.
 */
export async function missingRightsToApply(
  client: pg.ClientBase,
  seen: Seen,
): Promise<readonly Diagnostic[]> {
  const { installation, loaded } = seen;
  if (installation.fingerprint === loaded.model.fingerprint) return [];
  if ((await readLogin(client)).superuser) return [];
  return missingRights(client, await prepareSeen(client, seen));
}

/** Makes the finding about a missing right. */
export function missingRight(
  message: string,
  statements: readonly string[],
  position?: Position,
): Diagnostic {
  const place = position && { position };
  return { code: 'RG_NOT_OWNER', severity: 'error', message, ...place, statements };
}

async function createSchemas({ client, login }: Scope): Promise<readonly Diagnostic[]> {
  if (login.createsSchemas) return [];
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from pg_catalog.pg_namespace n where n.nspname = any ($1::text[])',
    [gatewaySchemas],
  );
  return rows[0]?.count === gatewaySchemas.length ? [] : [mayNotCreateSchemas(login)];
}

export function mayNotCreateSchemas(login: CommandLogin): Diagnostic {
  return missingRight(
    `login "${login.name}" may not create Rowgate's schemas in database "${login.database}"`,
    [`grant create on database ${name(login.database)} to ${name(login.name)}`],
  );
}

function createRoles({ login, changes }: Scope): readonly Diagnostic[] {
  if (login.createsRoles) return [];
  // Before Postgres 16, granting a role needs CREATEROLE, and every apply grants the login the role that owns the
  // policy views.
  const isNeeded = login.serverVersion < 160000 || changes.some((change) => change.kind === 'role');
  return isNeeded ? [mayNotCreateRoles(login)] : [];
}

export function mayNotCreateRoles(login: CommandLogin): Diagnostic {
  return missingRight(`login "${login.name}" may not create and change roles (CREATEROLE)`, [
    `alter role ${name(login.name)} createrole`,
  ]);
}

/**
 * Finds roles that the login would have to alter, drop or grant, but does not administer. The question arises only in
 * Postgres 16 and later, where each role has its own administrators.
 */
async function administerRoles({
  client,
  login,
  prepared,
  changes,
}: Scope): Promise<readonly Diagnostic[]> {
  if (login.serverVersion < 160000) return [];
  const ours = new Set(prepared.roles.objects.map((object) => object.id));
  const roles = new Set([systemRoles(prepared.loaded.model).policy]);
  for (const { kind, id, action } of changes) {
    const [, role = ''] = JSON.parse(id) as string[];
    const isEnded = kind === 'membership' && action === 'drop';
    const isChanged = kind === 'membership' || (kind === 'role' && action !== 'create');
    if (isEnded || (isChanged && ours.has(roleId(role)))) roles.add(role);
  }
  const { rows } = await client.query<{ role: string }>(
    `select r.rolname as role from pg_catalog.pg_roles r
     where r.rolname = any ($1::text[]) and not pg_catalog.pg_has_role(r.oid, 'USAGE WITH ADMIN OPTION') order by 1`,
    [[...roles]],
  );
  return rows
    .map(({ role }) => role)
    .filter((role) => !prepared.roles.foreignRoles.some((foreign) => foreign.name === role))
    .map((role) =>
      ours.has(roleId(role)) ? mayNotAdminister(role, login) : mayNotEnd(role, login, changes),
    );
}

export function mayNotAdminister(role: string, login: CommandLogin): Diagnostic {
  return missingRight(`login "${login.name}" may not administer role "${role}"`, [
    administer(role, login),
  ]);
}

/** Makes the finding about memberships that apply would end, in a role that Rowgate does not manage. */
function mayNotEnd(role: string, login: CommandLogin, changes: readonly Change[]): Diagnostic {
  const members = changes.flatMap(({ kind, id }) => {
    const [, of, member = ''] = JSON.parse(id) as string[];
    return kind === 'membership' && of === role ? [member] : [];
  });
  return missingRight(
    `login "${login.name}" may not end the membership of ${members.map((one) => `"${one}"`).join(', ')} in role "${role}"`,
    members.map((member) => `revoke ${name(role)} from ${name(member)}`),
  );
}

/**
 * Finds schemas of the metadata's tables and functions on which the login has no USAGE. Schemas on which apply grants
 * USAGE are left to `grantSchemas`, because the grant option includes USAGE.
 */
async function useSchemas({
  client,
  login,
  prepared,
  changes,
}: Scope): Promise<readonly Diagnostic[]> {
  const schemas = new Set(namedSchemas(prepared.loaded.model));
  for (const [schema = ''] of idsOf(changes, 'schema')) schemas.delete(schema);
  const { rows } = await client.query<{ schema: string }>(
    `select n.nspname as schema from pg_catalog.pg_namespace n
     where n.nspname = any ($1::text[]) and not pg_catalog.has_schema_privilege(n.oid, 'USAGE') order by 1`,
    [[...schemas]],
  );
  return rows.map(({ schema }) =>
    missingRight(`login "${login.name}" may not use schema "${schema}"`, [
      `grant usage on schema ${name(schema)} to ${name(login.name)}`,
    ]),
  );
}

function namedSchemas(model: Model): ReadonlySet<string> {
  const tables = [...model.tables.values()];
  const fields = tables.flatMap((table) => [...table.computedFields.values()]);
  const functions = [...fields, ...model.functions.values()];
  return new Set([
    ...tables.flatMap((table) => [...tableSchemas(table)]),
    ...functions.map((called) => called.function.schema),
  ]);
}

/** Finds schemas that roles must be able to use, but on which the login may not grant anything. */
async function grantSchemas({ client, login, changes }: Scope): Promise<readonly Diagnostic[]> {
  const schemas = idsOf(changes, 'schema').map(([schema = '']) => schema);
  if (schemas.length === 0) return [];
  const { rows } = await client.query<{ schema: string }>(
    `select n.nspname as schema from pg_catalog.pg_namespace n
     where n.nspname = any ($1::text[]) and not pg_catalog.has_schema_privilege(n.oid, 'USAGE WITH GRANT OPTION') order by 1`,
    [schemas],
  );
  return rows.map(({ schema }) =>
    missingRight(`login "${login.name}" may not grant usage on schema "${schema}"`, [
      `grant usage on schema ${name(schema)} to ${name(login.name)} with grant option`,
    ]),
  );
}

/**
 * Finds sequences that inserts use and on which the login may not grant USAGE. The sequence of a serial or identity
 * column always has the owner of its table.
 */
async function grantSequences({ client, login, changes }: Scope): Promise<readonly Diagnostic[]> {
  const named = idsOf(changes, 'grant');
  if (named.length === 0) return [];
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select distinct n.nspname as schema, c.relname as name from pg_catalog.pg_class c
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     join rows from (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) as g(schema, name)
       on g.schema = n.nspname and g.name = c.relname
     where case when c.relkind = 'S' then not pg_catalog.has_sequence_privilege(c.oid, 'USAGE WITH GRANT OPTION') end order by 1, 2`,
    [named.map(([schema]) => schema), named.map(([, relation]) => relation)],
  );
  return rows.map((row) =>
    missingRight(
      `login "${login.name}" may not grant usage on sequence ${row.schema}.${row.name}`,
      [`grant usage on sequence ${qualifiedName(row)} to ${name(login.name)} with grant option`],
    ),
  );
}

interface FunctionRow extends Signature {
  readonly procedure: boolean;
  readonly owner: string;
  /** Whether apply revokes EXECUTE from PUBLIC, which only the owner may do. */
  readonly revoked: boolean;
}

/** $1: schemas of functions, $2: their names, $3: whether apply revokes EXECUTE from PUBLIC. */
const functionQuery = `
select n.nspname as schema, p.proname as name, p.prokind = 'p' as procedure, g.revoked, o.rolname as owner,
  ${parameterTypes} as parameters
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join pg_catalog.pg_roles o on o.oid = p.proowner
join rows from (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[]), pg_catalog.unnest($3::bool[])) as g(schema, name, revoked)
  on g.schema = n.nspname and g.name = p.proname
where case when g.revoked then not pg_catalog.pg_has_role(p.proowner, 'USAGE')
  else not pg_catalog.has_function_privilege(p.oid, 'EXECUTE WITH GRANT OPTION') end
order by 1, 2, g.revoked desc`;

/** Finds functions of others that roles must be able to execute, or that PUBLIC must not be able to execute. */
async function grantFunctions({ client, login, changes }: Scope): Promise<readonly Diagnostic[]> {
  const named = changes.flatMap(({ kind, id, action }) => {
    const [, schema, called = '', role] = JSON.parse(id) as string[];
    if (kind !== 'execute' || schema === undefined || gatewaySchemas.includes(schema)) return [];
    if (action === 'drop' && role !== 'public') return [];
    return [{ schema, called, revoked: action === 'drop' }];
  });
  if (named.length === 0) return [];
  const nameOf = (called: string) => (JSON.parse(called) as string[])[0];
  const { rows } = await client.query<FunctionRow>(functionQuery, [
    named.map(({ schema }) => schema),
    named.map(({ called }) => nameOf(called)),
    named.map(({ revoked }) => revoked),
  ]);
  const meant = new Set(named.map(({ schema, called }) => JSON.stringify([schema, called])));
  const isMeant = ({ schema, ...row }: FunctionRow) =>
    meant.has(
      JSON.stringify([
        schema,
        JSON.stringify([row.name, ...row.parameters.map((type) => [type.schema, type.name])]),
      ]),
    );
  const distinct = new Map(
    rows
      .filter(isMeant)
      .toReversed()
      .map((row) => [signature(row), row] as const),
  );
  return [...distinct.values()].toReversed().map((row) => mayNotGrantFunction(row, login));
}

function mayNotGrantFunction(row: FunctionRow, login: CommandLogin): Diagnostic {
  const target = `${row.procedure ? 'procedure' : 'function'} ${signature(row)}`;
  const label = `${row.schema}.${row.name}`;
  const grant = `grant execute on ${target} to ${name(login.name)} with grant option`;
  // The function keeps its owner, because a security definer function would get the rights of the login.
  return row.revoked
    ? missingRight(
        `login "${login.name}" may not revoke the right of PUBLIC to execute ${label}, which belongs to "${row.owner}"`,
        [`revoke execute on ${target} from public`, grant],
      )
    : missingRight(`login "${login.name}" may not grant the right to execute ${label}`, [grant]);
}

/** Finds languages of Rowgate's own functions that an administrator has taken from PUBLIC. */
async function useLanguages({ client, login }: Scope): Promise<readonly Diagnostic[]> {
  const { rows } = await client.query<{ language: string }>(
    `select l.lanname as language from pg_catalog.pg_language l
     where l.lanname in ('plpgsql', 'sql') and not pg_catalog.has_language_privilege(l.oid, 'USAGE') order by 1`,
  );
  return rows.map(({ language }) =>
    missingRight(`login "${login.name}" may not use language ${language}`, [
      `grant usage on language ${language} to ${name(login.name)}`,
    ]),
  );
}

/** Returns the ids, in parts, of the objects of one kind that apply creates or replaces outside Rowgate's schemas. */
function idsOf(changes: readonly Change[], kind: Change['kind']): readonly (readonly string[])[] {
  return changes
    .filter((change) => change.kind === kind && change.action !== 'drop')
    .map(({ id }) => (JSON.parse(id) as string[]).slice(1))
    .filter(([schema = '']) => !gatewaySchemas.includes(schema));
}
