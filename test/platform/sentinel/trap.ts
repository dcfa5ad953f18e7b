import type pg from 'pg';

/** Errors of every class that the gateway tells apart, as a function may raise them. */
const sqlStates = [
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

/** What fails, by a name, and the statement of PL/pgSQL that does, with cells of another organization in `cells`. */
export const traps: readonly (readonly [name: string, statement: string])[] = [
  ...sqlStates.map((sqlState) => {
    const raise = `raise exception using errcode = '${sqlState}', message = cells, detail = cells, hint = cells`;
    return [`${sqlState} that a function raises`, raise] as const;
  }),
  // Postgres's own, which quote what they fail at.
  ['of a cast to a number', 'perform cells::integer'],
  ['of a cast to a date', 'perform cells::date'],
  ['of the syntax of a statement', 'execute cells'],
  ['of a function that is missing', "execute format('select %I()', cells)"],
  ['of an assertion', 'assert false, cells'],
];

/** Lets reading a table fail with an error whose texts quote rows of another organization. */
export async function setTrap(client: pg.Client, table: string, statement: string): Promise<void> {
  await client.query(`
    create or replace function public.sentinel_trap() returns boolean
      language plpgsql security definer as $$
        declare
          cells text := (select string_agg(t::text, ' ') from ${table} t where t::text like '%other %');
        begin
          ${statement};
        end
      $$;
    drop policy if exists sentinel_trap on ${table};
    create policy sentinel_trap on ${table} as restrictive using (public.sentinel_trap())`);
}

/** Takes the trap away. */
export async function removeTrap(client: pg.Client, table: string): Promise<void> {
  await client.query(`drop policy sentinel_trap on ${table}; drop function public.sentinel_trap()`);
}
