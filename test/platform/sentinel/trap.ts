import type pg from 'pg';

/** Errors of every class that the gateway tells apart. */
export const sqlStates = [
  '08006',
  '22003',
  '22012',
  '22P02',
  '23505',
  '23514',
  '25006',
  '2201B',
  '42501',
  '42601',
  '42883',
  '54000',
  '57014',
  'P0001',
  'XX000',
];

/** Lets reading a table fail with an error whose every text quotes rows of another organization. */
export async function setTrap(client: pg.Client, table: string, sqlState: string): Promise<void> {
  await client.query(`
    create or replace function public.sentinel_trap() returns boolean
      language plpgsql security definer as $$
        declare
          cells text := (select string_agg(t::text, ' ') from ${table} t where t::text like '%other %');
        begin
          raise exception using errcode = '${sqlState}', message = cells, detail = cells, hint = cells;
        end
      $$;
    drop policy if exists sentinel_trap on ${table};
    create policy sentinel_trap on ${table} as restrictive using (public.sentinel_trap())`);
}

/** Takes the trap away. */
export async function removeTrap(client: pg.Client, table: string): Promise<void> {
  await client.query(`drop policy sentinel_trap on ${table}; drop function public.sentinel_trap()`);
}
