import pg from 'pg';

/** A table with a status, one of its rows, and all of its statuses. */
export interface Moving {
  readonly table: string;
  readonly row: string;
  readonly statuses: readonly string[];
  /** The allowed changes of status, e.g. `draft>submitted`. */
  readonly moves: ReadonlySet<string>;
}

/** Returns every table with a status column, in the order of names. */
export async function movingTables(client: pg.Client): Promise<readonly Moving[]> {
  const { rows } = await client.query<Omit<Moving, 'moves'> & { readonly moves: string[] }>(
    `select c.relname as table, '' as row,
       array(select m[1] from pg_catalog.regexp_matches(
         pg_catalog.pg_get_constraintdef(k.oid), '''([a-z_]+)''::text', 'g') m) as statuses,
       array(select m.from_status || '>' || m.to_status from rowgate_webhooks.allowed_move m
         where m.table_name = c.relname order by 1) as moves
     from pg_catalog.pg_class c
     join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'status'
     join pg_catalog.pg_constraint k
       on k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
     order by 1`,
  );
  const moving: Moving[] = [];
  for (const { table, statuses, moves } of rows) {
    const found = await client.query(`select id from public."${table}" order by id limit 1`);
    moving.push({ table, row: String(found.rows[0]?.id), statuses, moves: new Set(moves) });
  }
  return moving;
}

/** Returns all pairs of different statuses. */
export function pairs(statuses: readonly string[]): readonly (readonly [string, string])[] {
  return statuses.flatMap((from) =>
    statuses.filter((to) => to !== from).map((to) => [from, to] as const),
  );
}

/** Sets the status of a row without running triggers, as the superuser. */
export async function place(client: pg.Client, moving: Moving, status: string): Promise<void> {
  const [to, row] = [status, moving.row].map((text) => pg.escapeLiteral(text));
  await client.query(`set session_replication_role = replica;
    update public."${moving.table}" set status = ${to} where id::text = ${row};
    set session_replication_role = origin`);
}
