import type pg from 'pg';

export interface Column {
  readonly name: string;
  /** The type as Postgres prints it, e.g. `numeric(20,2)`. */
  readonly type: string;
  readonly notNull: boolean;
  readonly generated: boolean;
}

export interface ForeignKey {
  readonly columns: readonly string[];
  /** `schema.name` */
  readonly parent: string;
  readonly parentColumns: readonly string[];
}

export interface Check {
  readonly name: string;
  readonly columns: readonly string[];
  readonly expression: string;
}

/** A table, as the catalog describes it. */
export interface Table {
  /** `schema.name` */
  readonly key: string;
  /** The qualified name in SQL. */
  readonly sql: string;
  readonly columns: readonly Column[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly Check[];
}

/** Returns all tables of some schemas, parents before children. */
export async function readTables(
  client: pg.Client,
  schemas: readonly string[],
): Promise<readonly Table[]> {
  const { rows } = await client.query<Table>(statement, [schemas]);
  return parentsFirst(rows);
}

const names = (keys: string, relation: string) => `(
  select coalesce(json_agg(a.attname order by p.position), '[]')
  from unnest(${keys}) with ordinality p (attnum, position)
  join pg_attribute a on a.attrelid = ${relation} and a.attnum = p.attnum
)`;

const statement = `
  select
    n.nspname || '.' || c.relname as key,
    format('%I.%I', n.nspname, c.relname) as sql,
    (select json_agg(json_build_object(
        'name', a.attname,
        'type', format_type(a.atttypid, a.atttypmod),
        'notNull', a.attnotnull,
        'generated', a.attgenerated <> ''
      ) order by a.attnum)
      from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select coalesce(json_agg(json_build_object(
        'columns', ${names('f.conkey', 'f.conrelid')},
        'parent', pn.nspname || '.' || p.relname,
        'parentColumns', ${names('f.confkey', 'f.confrelid')}
      ) order by f.conname), '[]')
      from pg_constraint f
      join pg_class p on p.oid = f.confrelid
      join pg_namespace pn on pn.oid = p.relnamespace
      where f.conrelid = c.oid and f.contype = 'f') as "foreignKeys",
    (select coalesce(json_agg(json_build_object(
        'name', k.conname,
        'columns', ${names('k.conkey', 'k.conrelid')},
        'expression', pg_get_expr(k.conbin, k.conrelid)
      ) order by k.conname), '[]')
      from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c') as checks
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any ($1)
  order by n.nspname, c.relname`;

/** Sorts parents before children. Tables that refer to each other in a circle come last. */
function parentsFirst(tables: readonly Table[]): readonly Table[] {
  const left = new Set(tables);
  const sorted: Table[] = [];
  const waits = (table: Table) =>
    table.foreignKeys.some(({ parent }) =>
      [...left].some(({ key }) => key === parent && key !== table.key),
    );
  while (left.size > 0) {
    const ready = [...left].filter((table) => !waits(table));
    for (const table of ready.length > 0 ? ready : left) {
      left.delete(table);
      sorted.push(table);
    }
  }
  return sorted;
}
