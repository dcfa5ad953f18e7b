import pg from 'pg';

/** A copy of all rows in the schema public. */
export interface KeptRows {
  /** Restores all rows to the state of the copy. */
  restore(): Promise<void>;
  /** Returns the tables whose rows differ from the copy. */
  changed(): Promise<readonly string[]>;
}

/**
 * Copies the rows. The connection must be a superuser's, so that neither triggers nor foreign keys act while the rows
 * are restored.
 */
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

/** Maps the quoted name of each table to the quoted names of its writable columns. */
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
