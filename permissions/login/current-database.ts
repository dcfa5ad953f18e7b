import type pg from 'pg';

export async function currentDatabase(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ database: string }>(
    'select pg_catalog.current_database() as database',
  );
  return rows[0]?.database ?? '';
}
