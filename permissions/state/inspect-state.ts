import type pg from 'pg';
import { label, stateId } from '../compile/desired.ts';
import { membershipDefinition, roleDefinition } from '../compile/roles.ts';
import { ident, qualified, type SqlText, sql } from '../sql/sql-text.ts';
import {
  executesQuery,
  functionsQuery,
  grantsQuery,
  membershipsQuery,
  policiesQuery,
  rolesQuery,
  rowSecurityQuery,
  schemasQuery,
  triggersQuery,
  viewsQuery,
} from './inspect-sql.ts';
import { revokeExecute, revokeGrant } from './revokes.ts';
import { readSeal } from './seal.ts';
import type { FoundObject } from './types.ts';

/** What to look for. */
export interface StateQuery {
  /** Role comment of this installation. */
  readonly roleComment: string;
  /** Names of all Postgres roles that the metadata wants. */
  readonly roles: readonly string[];
  readonly policyRole: string;
  /** Name of the gateway's login, managed or not. */
  readonly login: string;
  /** Oids of the tables that the metadata manages, and of what lies below them. */
  readonly tables: readonly number[];
  readonly serverVersion: number;
}

/** A role that stands where one of ours should, but is not ours. */
export interface ForeignRole {
  readonly name: string;
  readonly comment: string | null;
}

export interface FoundState {
  readonly objects: readonly FoundObject[];
  readonly foreignRoles: readonly ForeignRole[];
  /** Our roles that can do what no rule of Postgres stops: superuser, BYPASSRLS, replication. */
  readonly powerfulRoles: readonly string[];
  readonly loginExists: boolean;
}

interface Context {
  readonly client: pg.ClientBase;
  readonly query: StateQuery;
  /** Oids of our roles and of the gateway's login. */
  readonly oids: readonly string[];
  readonly policyOid: string | undefined;
  readonly loginOid: string | undefined;
  readonly foreignLogin: boolean;
}

interface RoleRow {
  oid: string;
  name: string;
  login: boolean;
  inherit: boolean;
  powerful: boolean;
  creates: boolean;
  comment: string | null;
}

/** Reads what of our making the database holds. The connection's search_path must be `pg_catalog, pg_temp`. */
export async function inspectState(client: pg.ClientBase, query: StateQuery): Promise<FoundState> {
  const wanted = [...new Set([...query.roles, query.login])];
  const { rows } = await client.query<RoleRow>(rolesQuery, [wanted, query.roleComment]);
  const login = rows.find((row) => row.name === query.login);
  const foreignLogin =
    login !== undefined &&
    !query.roles.includes(query.login) &&
    login.comment !== query.roleComment;
  const roles = rows.filter((row) => row !== login || !foreignLogin);
  const ours = roles.filter((row) => row.comment === query.roleComment);
  const context: Context = {
    client,
    query,
    oids: [...ours.map((row) => row.oid), ...(login && foreignLogin ? [login.oid] : [])],
    policyOid: ours.find((row) => row.name === query.policyRole)?.oid,
    loginOid: login?.oid,
    foreignLogin,
  };
  const objects = [
    ...ours.map(roleFound),
    ...(await memberships(context)),
    ...(await schemas(context)),
    ...(await rowSecurity(context)),
    ...(await views(context)),
    ...(await functions(context)),
    ...(await grants(context)),
    ...(await executes(context)),
    ...(await policies(context)),
    ...(await triggers(context)),
    ...(await fingerprint(context)),
  ];
  return {
    objects,
    foreignRoles: roles.filter((row) => row.comment !== query.roleComment),
    loginExists: login !== undefined,
    powerfulRoles: rows.filter((row) => row.powerful).map((row) => row.name),
  };
}

function found(
  parts: Omit<FoundObject, 'note'> & { readonly note?: string | undefined },
): FoundObject {
  return { note: undefined, ...parts };
}

function roleFound(row: RoleRow): FoundObject {
  const definition = roleDefinition(row.login && !row.inherit);
  const odd = row.login && row.inherit ? 'login inherit' : definition;
  return found({
    kind: 'role',
    id: stateId.role(row.name),
    label: `role ${row.name}`,
    definition: row.creates ? `${odd} creates` : odd,
    drop: [sql`drop role ${ident(row.name)}`],
  });
}

async function memberships(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    role: string;
    member: string;
    gateway: boolean;
    canSet: boolean;
    inherits: boolean;
    administers: boolean;
  }>(membershipsQuery, [context.oids, context.policyOid ?? null, context.loginOid ?? null]);
  const { serverVersion } = context.query;
  return rows.map((row) => {
    const plain = serverVersion < 160000 || (row.canSet && !row.inherits);
    return found({
      kind: 'membership',
      id: stateId.membership(row.role, row.member),
      label: `membership of ${row.member} in ${row.role}`,
      definition: plain && !row.administers ? membershipDefinition(serverVersion) : 'other',
      drop: [sql`revoke ${ident(row.role)} from ${ident(row.member)}`],
    });
  });
}

async function schemas(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{ schema: string; role: string; privileges: string }>(
    schemasQuery,
    [context.oids, context.foreignLogin ? context.loginOid : null],
  );
  return rows.map((row) =>
    found({
      kind: 'schema',
      id: stateId.schema(row.schema, row.role),
      label: `${row.privileges.toLowerCase()} on schema ${row.schema} of ${row.role}`,
      definition: row.privileges,
      drop: [sql`revoke all on schema ${ident(row.schema)} from ${ident(row.role)}`],
    }),
  );
}

async function rowSecurity(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{ schema: string; name: string }>(rowSecurityQuery, [
    context.query.tables,
  ]);
  return rows.map((row) =>
    found({
      kind: 'row security',
      id: stateId.rowSecurity(row),
      label: `row security on ${label(row)}`,
      definition: 'enabled',
      drop: [],
    }),
  );
}

async function grants(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    schema: string;
    name: string;
    kind: string;
    role: string;
    public: boolean;
    privilege: string;
    whole: boolean;
    grantable: boolean;
    columns: string[] | null;
  }>(grantsQuery, [
    context.foreignLogin ? context.oids.filter((oid) => oid !== context.loginOid) : context.oids,
    context.query.tables,
  ]);
  return rows.map((row) => {
    const columns = (row.columns ?? []).toSorted().join('\0');
    const extent = row.whole ? `*${columns}` : columns;
    return found({
      kind: 'grant',
      id: stateId.grant(row, row.role, row.privilege),
      label: `${row.privilege.toLowerCase()} on ${label(row)} of ${row.role}`,
      definition: row.grantable ? `${extent} grantable` : extent,
      drop: [revokeGrant(row)],
    });
  });
}

async function executes(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    schema: string;
    signature: string;
    target: string;
    procedure: boolean;
    role: string;
    public: boolean;
    grantable: boolean;
  }>(executesQuery, [context.oids]);
  return rows
    .filter(
      (row) =>
        !context.foreignLogin || row.role !== context.query.login || row.schema === 'rowgate_api',
    )
    .map((row) =>
      found({
        kind: 'execute',
        id: stateId.execute(row.schema, row.signature, row.role),
        label: `execute on ${row.schema}.${row.signature} of ${row.role}`,
        definition: row.grantable ? 'EXECUTE grantable' : 'EXECUTE',
        drop: [revokeExecute(row)],
      }),
    );
}

async function policies(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    schema: string;
    table: string;
    name: string;
    command: string;
    permissive: boolean;
    roles: string;
    comment: string | null;
    seal: string;
  }>(policiesQuery, [context.query.tables]);
  return rows
    .filter((row) => row.name.startsWith('rowgate/'))
    .map((row) => {
      const relation = { schema: row.schema, name: row.table };
      const facts = [row.command, row.permissive ? 'permissive' : 'restrictive', row.roles];
      return sealed(row, facts, {
        kind: 'policy',
        id: stateId.policy(relation, row.name),
        label: `policy ${row.name} on ${label(relation)}`,
        drop: [sql`drop policy ${ident(row.name)} on ${qualified(relation)}`],
      });
    });
}

function sealed(
  row: { readonly comment: string | null; readonly seal: string },
  facts: readonly string[],
  parts: {
    readonly kind: FoundObject['kind'];
    readonly id: string;
    readonly label: string;
    readonly drop: readonly SqlText[];
  },
): FoundObject {
  const seal = readSeal(row.comment);
  const intact = seal?.seal === row.seal;
  return found({
    ...parts,
    definition: intact ? JSON.stringify([...facts, seal.hash]) : 'altered',
    note: seal?.note,
  });
}

async function views(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    name: string;
    owner: string;
    options: string[];
    comment: string | null;
    seal: string;
  }>(viewsQuery);
  return rows.map((row) => {
    const barrier =
      row.options.join() === 'security_barrier=true' ? 'security_barrier' : row.options.join();
    return sealed(row, [row.owner, barrier], {
      kind: 'view',
      id: stateId.view(row.name),
      label: `policy view ${row.name}`,
      drop: [sql`drop view ${qualified({ schema: 'rowgate_policy', name: row.name })}`],
    });
  });
}

async function functions(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    name: string;
    comment: string | null;
    seal: string;
  }>(functionsQuery);
  return rows.map((row) =>
    sealed(row, [], {
      kind: 'function',
      id: stateId.function(row.name),
      label: `preset function ${row.name}`,
      drop: [sql`drop function ${qualified({ schema: 'rowgate_policy', name: row.name })}()`],
    }),
  );
}

async function triggers(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    schema: string;
    table: string;
    name: string;
    functionSchema: string;
    function: string;
    enabled: string;
    plain: boolean;
  }>(triggersQuery);
  return rows.map((row) => {
    const relation = { schema: row.schema, name: row.table };
    const timing = row.plain ? 'before row insert update' : 'other';
    return found({
      kind: 'trigger',
      id: stateId.trigger(relation, row.name),
      label: `trigger ${row.name} on ${label(relation)}`,
      definition: JSON.stringify([row.functionSchema, row.function, row.enabled, timing]),
      drop: [sql`drop trigger ${ident(row.name)} on ${qualified(relation)}`],
    });
  });
}

/** Whether the gateway's own migrations ran. */
export async function hasGatewaySchema(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    "select pg_catalog.to_regclass('rowgate.installation') is not null as there",
  );
  return rows[0]?.there === true;
}

async function fingerprint(context: Context): Promise<readonly FoundObject[]> {
  if (!(await hasGatewaySchema(context.client))) return [];
  const { rows } = await context.client.query<{
    gateway_role: string | null;
    fingerprint: string | null;
  }>('select gateway_role, fingerprint from rowgate.installation where fingerprint is not null');
  return rows.map((row) =>
    found({
      kind: 'fingerprint',
      id: stateId.fingerprint(),
      label: 'fingerprint of the metadata',
      definition: JSON.stringify([row.gateway_role, row.fingerprint]),
      drop: [
        sql`update rowgate.installation set gateway_role = null, fingerprint = null, applied_at = null`,
      ],
    }),
  );
}
