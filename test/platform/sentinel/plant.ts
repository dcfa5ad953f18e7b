import pg from 'pg';
import type { Model } from '../../../permissions/index.ts';
import { type ColumnFormat, chooseFormat } from './formats.ts';
import { isAlone, type Party, parentParty, partiesOf, rowsOf } from './parties.ts';
import { type Recipe, recipesOf } from './recipes.ts';
import type { Check, Column, ForeignKey, Table } from './tables.ts';

/** Maps columns to values. Null means that the row has no value there. */
export type Row = Readonly<Record<string, string | null>>;

/** A row that the test has inserted. */
export interface PlantedRow {
  readonly table: Table;
  readonly party: Party;
  /** Maps all columns, generated ones included, to their values as Postgres prints them. */
  readonly values: Row;
}

/**
 * Replaces all rows of the tables by rows with markers. The connection must be a superuser's, whom no policy limits.
 */
export async function plant(
  client: pg.Client,
  tables: readonly Table[],
  model: Model,
): Promise<readonly PlantedRow[]> {
  // Tables of other schemas, such as the sidecar's, refer to these tables.
  await client.query(`truncate ${tables.map(({ sql }) => sql).join(', ')} cascade`);
  const planter = new Planter(client);
  for (const table of tables) await planter.fill(table, recipesOf(model, table.key));
  return planter.rows;
}

/** The kind of row, and the table for it. */
interface Plot {
  readonly party: Party;
  readonly variant: number;
  readonly recipe: Recipe | undefined;
}

class Planter {
  readonly rows: PlantedRow[] = [];
  readonly #client: pg.Client;
  #serial = 0;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Inserts, for each owner, rows with all values of all lists and rows for each recipe. */
  async fill(table: Table, recipes: readonly Recipe[]): Promise<void> {
    const formats = await this.#formats(table);
    const variants = Math.max(...[...formats.values()].map((format) => format.variants), 1);
    for (const party of partiesOf(table.key)) {
      for (let variant = 0; variant < rowsOf(party, table.key, variants); variant += 1) {
        await this.#addRow(table, formats, { party, variant, recipe: undefined });
      }
      if (isAlone(party, table.key)) continue;
      for (const [variant, recipe] of recipes.entries()) {
        await this.#addRow(table, formats, { party, variant, recipe });
      }
    }
  }

  async #formats(table: Table): Promise<ReadonlyMap<Column, ColumnFormat>> {
    const keys = new Set(table.foreignKeys.flatMap(({ columns }) => columns));
    const formats = new Map<Column, ColumnFormat>();
    for (const column of table.columns) {
      if (column.generated || keys.has(column.name)) continue;
      formats.set(column, await chooseFormat(this.#client, table, column));
    }
    return formats;
  }

  async #addRow(
    table: Table,
    formats: ReadonlyMap<Column, ColumnFormat>,
    { party, variant, recipe }: Plot,
  ): Promise<void> {
    const row = this.#references(table, party, variant);
    if (!row) return;
    for (const [{ name }, { make }] of formats) {
      this.#serial += 1;
      const label = `${party} ${table.key}.${name}`;
      row[name] = make({ serial: this.#serial, variant, label });
    }
    Object.assign(row, recipe?.values);
    const keep = recipe?.keep ?? [];
    for (const check of table.checks) await this.#satisfy(table, check, row, { variant, keep });
    await this.#insert(table, party, row);
  }

  /** Returns the columns of all foreign keys; undefined when a required parent does not exist. */
  #references(
    table: Table,
    party: Party,
    variant: number,
  ): Record<string, string | null> | undefined {
    const row: Record<string, string | null> = {};
    for (const key of table.foreignKeys) {
      const parent = this.#parent(key, party, variant, row);
      if (parent)
        key.columns.forEach((name, i) => {
          row[name] = parent[key.parentColumns[i] ?? ''] ?? null;
        });
      else if (!letGo(table, key, row)) return undefined;
    }
    return row;
  }

  #parent(
    { columns, parent, parentColumns }: ForeignKey,
    party: Party,
    variant: number,
    row: Row,
  ): Row | undefined {
    const expected = parentParty(party, parent);
    const candidates = this.rows.filter(
      ({ table, party: whose, values }) =>
        table.key === parent &&
        whose === expected &&
        columns.every(
          (name, i) => row[name] === undefined || row[name] === values[parentColumns[i] ?? ''],
        ),
    );
    return candidates[variant % Math.max(candidates.length, 1)]?.values;
  }

  /** For a check over several columns: removes values, different values for each variant, until the check passes. */
  async #satisfy(
    table: Table,
    { columns, expression, name }: Check,
    row: Record<string, string | null>,
    { variant, keep }: { readonly variant: number; readonly keep: readonly string[] },
  ): Promise<void> {
    const optional = table.columns.filter(
      (column) => columns.includes(column.name) && !column.notNull && !keep.includes(column.name),
    );
    const start = (variant + 1) % Math.max(optional.length, 1);
    const victims = [...optional.slice(start), ...optional.slice(0, start)];
    while (!(await this.#holds(table, columns, expression, row))) {
      const victim = victims.shift();
      if (!victim) throw new Error(`plant.ts cannot satisfy ${name} of ${table.key}`);
      row[victim.name] = null;
    }
  }

  async #holds(table: Table, columns: readonly string[], expression: string, row: Row) {
    if (columns.length < 2) return true;
    const typed = table.columns.filter(({ name }) => columns.includes(name));
    const list = typed.map(
      ({ name, type }, i) => `$${i + 1}::text::${type} as ${pg.escapeIdentifier(name)}`,
    );
    const { rows } = await this.#client.query(
      `select coalesce(${expression}, true) as holds from (select ${list.join(', ')}) as t`,
      typed.map(({ name }) => row[name]),
    );
    return rows[0].holds === true;
  }

  /** Inserts no further rows when a unique constraint does not allow them. */
  async #insert(table: Table, party: Party, row: Row): Promise<void> {
    const names = Object.keys(row);
    const all = table.columns.map(({ name }) => pg.escapeIdentifier(name));
    const { rows } = await this.#client.query<Row>(
      `insert into ${table.sql} (${names.map(pg.escapeIdentifier).join(', ')})
       values (${names.map((_, i) => `$${i + 1}`).join(', ')})
       on conflict do nothing
       returning ${all.map((name) => `${name}::text`).join(', ')}`,
      Object.values(row),
    );
    for (const values of rows) this.rows.push({ table, party, values });
  }
}

/**
 * Returns whether the reference may be absent. If so, sets its columns to null, except columns that another key has
 * set.
 */
function letGo(table: Table, { columns }: ForeignKey, row: Record<string, string | null>): boolean {
  const free = table.columns.filter(
    ({ name }) => columns.includes(name) && row[name] === undefined,
  );
  const optional = free.filter(({ notNull }) => !notNull);
  for (const { name } of optional) row[name] = null;
  return optional.length > 0;
}
