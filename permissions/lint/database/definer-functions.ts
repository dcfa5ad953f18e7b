import { type DatabaseRule, managedSchemas } from '../inspection.ts';

/**
 * $1: schemas that hold managed tables. A trigger function cannot be called, only fired. `search_path=""` leaves
 * nothing to find but what the body names in full; a path that does not end in pg_temp has it first for tables
 * (https://www.postgresql.org/docs/current/sql-createfunction.html#SQL-CREATEFUNCTION-SECURITY).
 */
const query = `
select p.oid::pg_catalog.regprocedure::text as target, g.rolname as owner,
  p.prorettype not in ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype)
    and exists (select 1 from pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) x
      where x.grantee = 0 and x.privilege_type = 'EXECUTE') as open,
  s.path is null as unpinned, s.path !~ '(\\mpg_temp"?$|^("")?$)' as temporary
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join pg_catalog.pg_roles g on g.oid = p.proowner
left join lateral (select pg_catalog.substr(one, 13) as path from pg_catalog.unnest(p.proconfig) one where one like 'search\\_path=%') s on true
where p.prosecdef and n.nspname = any ($1::text[])
  and not exists (select 1 from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = p.oid and d.deptype = 'e')
order by 1`;

/** Functions that act with the rights of their owner, who obeys no policy. */
export const definerFunctions: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{
    target: string;
    owner: string;
    open: boolean;
    unpinned: boolean;
    temporary: boolean | null;
  }>(query, [managedSchemas(seen)]);
  for (const { target, owner, open, unpinned, temporary } of rows) {
    if (open) {
      report.warning(
        'RG_DEFINER_FUNCTION',
        undefined,
        `PUBLIC may call ${target}, which acts with the rights of "${owner}", around all rules`,
        `let it act with the rights of its caller, or run: revoke execute on routine ${target} from public`,
      );
    }
    if (unpinned || temporary) {
      const finds = unpinned
        ? 'finds names by the search_path of whoever calls it'
        : 'finds temporary tables of whoever calls it before any other';
      report.warning(
        'RG_SEARCH_PATH',
        undefined,
        `${target} acts with the rights of "${owner}" and ${finds}`,
        `run: alter routine ${target} set search_path = … , pg_temp; naming the schemas that its body needs`,
      );
    }
  }
};
