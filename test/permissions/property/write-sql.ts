import pg from 'pg';
import {
  type Cell,
  type ColumnType,
  moods,
  type Row,
  type Rows,
  type Scalar,
  type Schema,
  type Table,
  type Value,
} from './vocabulary.ts';

/**
 * Returns a value in Postgres's text format. A session variable holds this text; SQL quotes it and casts it to the type of
 * the column.
 */
export function textOfValue(value: Value): string {
  if (Array.isArray(value)) return `{${value.map(elementText).join(',')}}`;
  return typeof value === 'string' ? value : JSON.stringify((value as { json: unknown }).json);
}

function elementText(item: Scalar | null): string {
  return item === null ? 'NULL' : `"${textOfValue(item).replace(/["\\]/g, '\\$&')}"`;
}

function cellSql(type: ColumnType, cell: Cell): string {
  const name = ['citext', 'mood'].includes(type) ? `public.${type}` : type;
  return `${cell === null ? 'null' : pg.escapeLiteral(textOfValue(cell)).trim()}::${name}`;
}

/** Types that all tables of a batch need. */
export const typesSql = `create type public.mood as enum (${moods.map((mood) => `'${mood}'`).join(', ')})`;

/**
 * Returns SQL for the tables. Their foreign keys are deferred to a commit that never happens, so keys may refer to
 * missing rows.
 */
export function schemaSql(schema: Schema): string {
  const keys = schema.flatMap((table) =>
    table.keys.map(
      (key) =>
        `alter table public.${table.name} add foreign key (${key.columns.join(', ')})` +
        ` references public.${key.table} (${key.remote.join(', ')}) deferrable initially deferred;`,
    ),
  );
  return [...schema.map(tableSql), ...keys].join('\n');
}

function tableSql(table: Table): string {
  const columns = table.columns.map(
    ({ name, type, nullable }) => `  ${name} ${type}${nullable ? '' : ' not null'}`,
  );
  const unique = ['  primary key (id)', '  unique (id, num)'];
  return `create table public.${table.name} (\n${[...columns, ...unique].join(',\n')}\n);`;
}

export function dropSql(schema: Schema): string {
  return schema.map((table) => `drop table public.${table.name} cascade;`).join('\n');
}

/** Returns SQL for the rows. Only a superuser may run it, because rows may refer to missing rows. */
export function rowsSql(schema: Schema, rows: Rows): string {
  const filled = schema.map((table) =>
    (rows[table.name] ?? []).map((row) => `${insertSql(table, row)};`).join('\n'),
  );
  return [
    'set session_replication_role = replica;',
    // A truncate would make every session reload all policies of the tables, which is slow.
    ...schema.map((table) => `delete from public.${table.name};`),
    ...filled.filter((text) => text !== ''),
  ].join('\n');
}

export function insertSql(table: Table, row: Row): string {
  const cells = table.columns.map(({ name, type }) => cellSql(type, row[name] ?? null));
  const names = table.columns.map(({ name }) => name);
  return `insert into public.${table.name} (${names.join(', ')}) values (${cells.join(', ')})`;
}

export function updateSql(table: Table, columns: readonly string[], row: Row, id: string): string {
  const sets = table.columns
    .filter(({ name }) => columns.includes(name))
    .map(({ name, type }) => `${name} = ${cellSql(type, row[name] ?? null)}`);
  return `update public.${table.name} set ${sets.join(', ')} where id = ${id}`;
}
