import pg from 'pg';

/** All rows of schema public as they were. */
export interface KeptRows {
  /** Brings them back. */
  restore(): Promise<void>;
  /** Tables whose rows are not those that were kept. */
  changed(): Promise<readonly string[]>;
}

/** Copies the rows. A superuser's connection: neither triggers nor foreign keys take part in bringing them back. */
export async function keepRows(superuser: pg.Client): Promise<KeptRows> {
  const tables = await columnsByTable(superuser);
  const names = [...tables.keys()];
  const copies = names.map((table) => `create table kept.${table} as table public.${table}`);
  await superuser.query(['create schema kept', ...copies].join('; '));
  const restore = [
    'begin; set local session_replication_role = replica',
    ...[...tables].map(([table, columns]) => restoreOf(table, columns)),
    'commit',
  ].join('; ');
  const changed = names.map(changeOf).join(' union all ');
  return {
    restore: async () => {
      await superuser.query(restore);
    },
    changed: async () =>
      (await superuser.query<{ name: string }>(changed)).rows.map((row) => row.name),
  };
}

function restoreOf(table: string, columns: string): string {
  const insert = `insert into public.${table} (${columns}) overriding system value`;
  return `delete from public.${table}; ${insert} select ${columns} from kept.${table}`;
}

function changeOf(table: string): string {
  const [now, then] = [`table public.${table}`, `table kept.${table}`];
  const differences = `(${now} except ${then}) union all (${then} except ${now})`;
  return `select ${pg.escapeLiteral(table)} as name where exists (${differences})`;
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
