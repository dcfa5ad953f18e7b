import type pg from 'pg';

/** Returns all catalog entries of this installation, as text that a test can compare. */
export async function catalogState(
  client: pg.ClientBase,
  prefix: string,
): Promise<readonly unknown[]> {
  const { rows } = await client.query(
    `select 'role ' || rolname as it from pg_roles where starts_with(rolname, $1)
     union all select 'policy ' || polname || coalesce(pg_get_expr(polqual, polrelid), '') from pg_policy
     union all select 'acl ' || relname || coalesce(relacl, acldefault('r', relowner))::text from pg_class where relnamespace = 'public'::regnamespace
     union all select 'columns ' || attrelid::regclass || attname || attacl::text from pg_attribute where attacl is not null and attrelid > 16384
     union all select 'security ' || relname || relrowsecurity from pg_class where relnamespace = 'public'::regnamespace
     union all select 'trigger ' || tgname from pg_trigger where not tgisinternal
     union all select 'schema ' || nspname || coalesce(nspacl, acldefault('n', nspowner))::text from pg_namespace
     order by 1`,
    [prefix],
  );
  return rows.map((row) => row.it);
}
