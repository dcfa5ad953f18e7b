import type pg from 'pg';

/** Returns the name of the database of a connection. */
export async function currentDatabase(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ database: string }>(
    'select pg_catalog.current_database() as database',
  );
  return rows[0]?.database ?? '';
}
