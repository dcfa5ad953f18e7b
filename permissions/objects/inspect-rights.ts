import { calledAs, isCall, isOwnerCall, upsertFunction } from '../text/object-names.ts';
import { ident, sql } from '../text/sql-text.ts';
import { label, stateId } from './desired.ts';
import { type Context, found } from './found.ts';
import { executesQuery, grantsQuery, membershipsQuery, schemasQuery } from './inspect-sql.ts';
import { grantee, revokeExecute, revokeGrant } from './revokes.ts';
import { membershipDefinition } from './roles.ts';
import type { FoundObject } from './types.ts';

export async function memberships(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    role: string;
    member: string;
    gateway: boolean;
    canSet: boolean;
    inherits: boolean;
    administers: boolean;
  }>(membershipsQuery, [context.oids, context.exclusiveOids, context.loginOid ?? null]);
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

export async function schemas(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    schema: string;
    role: string;
    public: boolean;
    privileges: string;
  }>(schemasQuery, [context.oids, context.foreignLogin ? context.loginOid : null]);
  return rows.map((row) =>
    found({
      kind: 'schema',
      id: stateId.schema(row.schema, row.role),
      label: `${row.privileges.toLowerCase()} on schema ${row.schema} of ${row.role}`,
      definition: row.privileges,
      drop: [
        // Whoever owns what upserts call may create there while the plan runs.
        sql`revoke ${row.privileges === 'USAGE' ? sql`usage` : sql`all`} on schema ${ident(row.schema)} from ${grantee(row)}`,
      ],
    }),
  );
}

export async function grants(context: Context): Promise<readonly FoundObject[]> {
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

export async function executes(context: Context): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<{
    schema: string;
    signature: string;
    name: string;
    /** JSON. */
    types: string;
    target: string;
    procedure: boolean;
    role: string;
    public: boolean;
    grantable: boolean;
  }>(executesQuery, [context.oids]);
  const idOf = (row: (typeof rows)[number]) => stateId.execute(row.schema, nameOf(row), row.role);
  const { login, callsOfAll } = context.query;
  return rows
    .filter((row) => {
      if (row.public) return ownSchemas.has(row.schema) || callsOfAll.has(idOf(row));
      return !context.foreignLogin || row.role !== login || row.schema === 'rowgate_api';
    })
    .map((row) =>
      found({
        kind: 'execute',
        id: idOf(row),
        label: `execute on ${row.schema}.${row.signature} of ${row.role}`,
        definition: row.grantable ? 'EXECUTE grantable' : 'EXECUTE',
        drop: [revokeExecute(row)],
      }),
    );
}

const ownSchemas = new Set(['rowgate', 'rowgate_api', 'rowgate_policy']);

/** Guards and calls have names that no two share; people's own functions go by what they take, as types are named. */
function nameOf(row: {
  readonly schema: string;
  readonly name: string;
  readonly signature: string;
  readonly types: string;
}): string {
  const { schema, name } = row;
  const isUnique =
    upsertFunction(schema, name) !== undefined || isCall(schema, name) || isOwnerCall(schema, name);
  if (isUnique) return name;
  return ownSchemas.has(schema) ? row.signature : calledAs(name, JSON.parse(row.types));
}
