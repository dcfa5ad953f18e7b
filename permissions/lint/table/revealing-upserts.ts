import type { Position } from '../../diagnostics.ts';
import { compiledRoles } from '../../objects/roles/role.ts';
import { systemRoles } from '../../text/object-names.ts';
import type { DatabaseRule, Inspection } from '../inspection.ts';
import { findRevealingKeys, type RevealingKey } from './upsert-keys.ts';

/**
 * $1: compiled roles, $2: the gateway's login, $3: the gateway's role. The query returns direct logins with the roles
 * that they inherit. It skips logins of former gateways, and logins that only administer a role, because they do not
 * inherit it.
 */
const query = `
select r.rolname as role, pg_catalog.string_agg('"' || g.rolname || '"', ', ' order by g.rolname) as logins
from pg_catalog.pg_roles r
join pg_catalog.pg_roles g on g.rolcanlogin and not g.rolsuper and pg_catalog.pg_has_role(g.oid, r.oid, 'USAGE')
where r.rolname = any ($1::text[]) and g.rolname <> $2 and g.rolname <> current_user
  and not exists (select from pg_catalog.pg_roles m where m.rolname = $3 and pg_catalog.pg_has_role(g.oid, m.oid, 'MEMBER'))
  and not exists (select from pg_catalog.pg_namespace n where n.nspname = 'rowgate' and pg_catalog.pg_has_role(g.oid, n.nspowner, 'USAGE'))
group by 1`;

/**
 * Reports unique keys by which direct logins can read hidden rows: an upsert conflicts with such a row and tests its
 * values. Each finding is about a role that has a direct login.
 */
export const revealingUpserts: DatabaseRule = (inspection) =>
  reportReveals(inspection, ({ report }, position, { message, hint }, logins) => {
    if (logins === undefined) return;
    report.error('RG_UPSERT_REVEALS', position, `${message}; ${logins} can do so`, hint);
  });

/**
 * Reports unique keys by which upserts could read hidden rows, for roles without a direct login. The keys matter only
 * when a direct login is created, because GraphQL cannot express such an upsert.
 */
export const possibleUpserts: DatabaseRule = (inspection) =>
  reportReveals(inspection, ({ report }, position, { message, hint }, logins) => {
    if (logins === undefined) report.warning('RG_UPSERT_REVEALS', position, message, hint);
  });

async function reportReveals(
  inspection: Inspection,
  one: (
    inspection: Inspection,
    position: Position | undefined,
    key: RevealingKey,
    logins: string | undefined,
  ) => void,
): Promise<void> {
  const { client, seen } = inspection;
  const keys = await findRevealingKeys(client, [...seen.loaded.model.roles.values()]);
  if (keys.length === 0) return;
  const logins = await directLogins(inspection);
  for (const key of keys) {
    const position = key.role.tables.get(key.table)?.insert?.position;
    one(inspection, position, key, logins.get(key.role.postgresName));
  }
}

/** Returns the direct logins by the name of the compiled role that they inherit. */
export async function directLogins({
  client,
  seen,
}: Inspection): Promise<ReadonlyMap<string, string>> {
  const { loaded, login } = seen;
  const { rows } = await client.query<{ role: string; logins: string }>(query, [
    compiledRoles(loaded.model),
    login.name,
    systemRoles(loaded.model).gateway,
  ]);
  return new Map(rows.map((row) => [row.role, row.logins]));
}
