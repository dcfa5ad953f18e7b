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
  let restored = await latestTransaction(superuser);
  const changed = names.map(changeOf).join(' union all ');
  // A prepared statement, because planning takes longer than running it.
  const written = { name: 'written', text: names.map(writeOf).join(' union all ') };
  return {
    restore: async () => {
      const { rows } = await superuser.query<{ name: string }>({ ...written, values: [restored] });
      await superuser.query(
        [
          'begin; set local session_replication_role = replica',
          ...rows.map(({ name }) => restoreOf(name, tables.get(name) ?? '')),
          'commit',
        ].join('; '),
      );
      restored = await latestTransaction(superuser);
    },
    changed: async () =>
      (await superuser.query<{ name: string }>(changed)).rows.map((row) => row.name),
  };
}

function restoreOf(table: string, columns: string): string {
  const insert = `insert into public.${table} (${columns}) overriding system value`;
  return `delete from public.${table}; ${insert} select ${columns} from kept.${table}`;
}

async function latestTransaction(superuser: pg.Client): Promise<string> {
  const { rows } = await superuser.query<{ id: string }>('select pg_current_xact_id()::text as id');
  return rows[0]?.id ?? '';
}

/** Finds out quickly whether transactions after $1 may have written to the table. */
function writeOf(table: string): string {
  const isNewer = 'xmin::text::int8 > $1::int8';
  const counts = `(select count(*) from public.${table}) <> (select count(*) from kept.${table})`;
  return `select ${pg.escapeLiteral(table)} as name
    where exists (select from public.${table} where ${isNewer}) or ${counts}`;
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
