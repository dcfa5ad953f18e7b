import type pg from 'pg';

/** Returns whether a session in this database waits for a lock. */
export async function someoneWaits(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ waits: boolean }>(`
    select exists (select from pg_catalog.pg_locks l join pg_catalog.pg_stat_activity a using (pid)
      where not l.granted and a.datname = pg_catalog.current_database()) as waits`);
  return rows[0]?.waits === true;
}
