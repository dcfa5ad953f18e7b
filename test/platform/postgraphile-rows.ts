import type pg from 'pg';
import type { RoleModel } from '../../permissions/types/model.ts';
import type { TableModel } from '../../permissions/types/tables.ts';
import { headersOf } from './caller.ts';
import type { Variables } from './rules-in-force.ts';

/** Returns the name of a column in PostGraphile's dialect. */
export function fieldOf(column: string): string {
  return column === 'id' ? 'rowId' : camelCase(column);
}

/** Returns the name of a table's type in PostGraphile's dialect. */
export function typeOf({ name }: TableModel): string {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase());
}

/** Rows of a table, each as a text of its values. SQL and GraphQL give the same text for a row. */
export type Rows = readonly string[];

/** The rows of a table for one caller, read in three ways. */
export interface ThreeWays {
  readonly hasura: Rows;
  readonly postgraphile: Rows;
  readonly sql: Rows;
}

export interface Reading {
  readonly url: string;
  readonly secret: string;
  /** A superuser's connection, which may switch to any role. */
  readonly client: pg.Client;
  readonly role: RoleModel;
  readonly variables: Variables;
}

type Body = { readonly query: string; readonly variables?: object };
// biome-ignore lint/suspicious/noExplicitAny: rows have whatever columns the table has
type Answered = any;

/** Sends operations to one endpoint and returns the data of each. */
export async function ask(reading: Reading, path: string, bodies: readonly Body[]) {
  const answers: Answered[] = [];
  for (let start = 0; start < bodies.length; start += 10) {
    const response = await fetch(`${reading.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'X-Gql-Admin-Secret': reading.secret,
        ...headersOf(reading.role.name, reading.variables),
      },
      body: JSON.stringify(bodies.slice(start, start + 10)),
    });
    answers.push(...((await response.json()) as Answered[]));
  }
  return answers.map(({ data, errors }) => {
    if (errors) throw new Error(`${reading.role.name}: ${JSON.stringify(errors)}`);
    return data;
  });
}

/**
 * Reads tables by both dialects and in SQL, in the same role. @param listOf returns the root field that lists a table
 * in PostGraphile's dialect
 */
export async function readThreeWays(
  reading: Reading,
  tables: readonly TableModel[],
  listOf: (table: TableModel) => string,
): Promise<readonly ThreeWays[]> {
  const columnsOf = ({ key }: TableModel) => reading.role.tables.get(key)?.select?.columns ?? [];
  const hasura = tables.map((table) => {
    const fields = columnsOf(table).map((name) => table.columns.get(name)?.graphqlName);
    return { query: `{ rows: ${table.rootFields.select}(limit: 1000) { ${fields.join(' ')} } }` };
  });
  const postgraphile = tables.map((table) => {
    const fields = columnsOf(table).map((name) => `_${name}: ${fieldOf(name)}`);
    return { query: `{ rows: ${listOf(table)}(first: 1000) { nodes { ${fields.join(' ')} } } }` };
  });
  const inHasura = await ask(reading, '/v1/graphql', hasura);
  const inPostgraphile = await ask(reading, '/graphql', postgraphile);
  const inSql = await readSql(reading, tables, columnsOf);
  return tables.map((table, index) => {
    const columns = columnsOf(table);
    const names = columns.map((name) => table.columns.get(name)?.graphqlName ?? '');
    const lines = (rows: Answered[], keys: readonly string[]) =>
      rows.map((row) => JSON.stringify(keys.map((key) => plain(row[key])))).toSorted();
    return {
      hasura: lines(inHasura[index].rows, names),
      postgraphile: lines(
        inPostgraphile[index].rows.nodes,
        columns.map((name) => `_${name}`),
      ),
      sql: lines(inSql[index] ?? [], columns),
    };
  });
}

async function readSql(
  { client, role, variables }: Reading,
  tables: readonly TableModel[],
  columnsOf: (table: TableModel) => readonly string[],
): Promise<Answered[][]> {
  await client.query('begin read only');
  await client.query(`select set_config('TimeZone', 'UTC', true)`);
  for (const [name, value] of Object.entries(variables)) {
    await client.query('select set_config($1, $2, true)', [`gql.${name}`, value]);
  }
  await client.query(`select set_config('role', $1, true)`, [role.postgresName]);
  const found: Answered[][] = [];
  for (const table of tables) {
    const names = columnsOf(table).map((name) => `"${name}"`);
    const { rows } = await client.query(
      `select coalesce(json_agg(r), '[]') as rows
       from (select ${names.join(', ')} from "${table.schema}"."${table.name}" limit 1000) r`,
    );
    found.push(rows[0].rows);
  }
  await client.query('rollback');
  return found;
}

/** Returns a value in one notation, so that equal values from SQL and GraphQL compare as equal. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, plain(item)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function plainText(text: string): unknown {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)) return new Date(text).toISOString();
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (/^[[{]/.test(text)) return plain(JSON.parse(text));
  return text;
}
