import pg from 'pg';

/**
 * Copies all rows of schema public, and gives a function that brings them back as they were. A superuser's
 * connection: neither triggers nor foreign keys take part.
 */
export async function keepRows(superuser: pg.Client): Promise<() => Promise<void>> {
  const tables = await columnsByTable(superuser);
  const copies = [...tables.keys()].map(
    (table) => `create table kept.${table} as table public.${table};`,
  );
  await superuser.query(`create schema kept; ${copies.join(' ')}`);
  const statements = [...tables].map(
    ([table, columns]) =>
      `delete from public.${table}; insert into public.${table} (${columns}) overriding system value select ${columns} from kept.${table};`,
  );
  const restore = `begin; set local session_replication_role = replica; ${statements.join(' ')} commit`;
  return async () => {
    await superuser.query(restore);
  };
}

/** Quoted names of tables, with the quoted names of the columns that can be written. */
async function columnsByTable(superuser: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await superuser.query<{ table: string; columns: string[] }>(
    `select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attgenerated = ''
     group by c.relname`,
  );
  return new Map(
    rows.map(({ table, columns }) => [
      pg.escapeIdentifier(table),
      columns.map(pg.escapeIdentifier).join(', '),
    ]),
  );
}
