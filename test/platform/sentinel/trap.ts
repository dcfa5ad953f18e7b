import type pg from 'pg';

/** An error of every class that the gateway distinguishes, as a function may raise it. */
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

/** The name of an error, and the PL/pgSQL statement that raises it, with values of another organization in `cells`. */
export const traps: readonly (readonly [name: string, statement: string])[] = [
  ...sqlStates.map((sqlState) => {
    const raise = `raise exception using errcode = '${sqlState}', message = cells, detail = cells, hint = cells`;
    return [`${sqlState} that a function raises`, raise] as const;
  }),
  // Errors that Postgres itself raises and that quote the value.
  ['of a cast to a number', 'perform cells::integer'],
  ['of a cast to a date', 'perform cells::date'],
  ['of the syntax of a statement', 'execute cells'],
  ['of a function that is missing', "execute format('select %I()', cells)"],
  ['of an assertion', 'assert false, cells'],
];

/** Makes reads of a table fail with an error whose texts quote rows of another organization. */
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

/** Removes the trap. */
export async function removeTrap(client: pg.Client, table: string): Promise<void> {
  await client.query(`drop policy sentinel_trap on ${table}; drop function public.sentinel_trap()`);
}
