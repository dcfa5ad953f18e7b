import type pg from 'pg';
import { name } from '../rights/statements.ts';
import { gatewaySchemas } from '../text/object-names.ts';

/** $1: Rowgate's own schemas. Tables with rules have row security. */
const query = `
select a.pid, a.usename as login from pg_catalog.pg_stat_activity a
where a.pid <> pg_catalog.pg_backend_pid() and exists (
  select from pg_catalog.pg_locks l
  join pg_catalog.pg_database b on b.oid = l.database and b.datname = pg_catalog.current_database()
  join pg_catalog.pg_class c on c.oid = l.relation
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where l.pid = a.pid and l.granted and (c.relrowsecurity or n.nspname = any ($1::text[])
    or n.nspname in (select s.value from rowgate.installation i cross join lateral pg_catalog.jsonb_each_text(i.view_schemas) s)))
order by a.pid limit 5`;

/**
 * Returns the sessions, at most five, that now hold locks on tables with rules or on Rowgate's own objects. None when
 * they cannot be read, because the refusal that names them matters more.
 */
export async function lockHolders(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client
    .query<{ pid: number; login: string | null }>(query, [gatewaySchemas])
    .catch(() => ({ rows: [] }));
  return rows.map(({ pid, login }) => `${pid} (${login === null ? 'of Postgres' : name(login)})`);
}
