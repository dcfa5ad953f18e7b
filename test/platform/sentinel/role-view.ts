import type pg from 'pg';
import type { Model, RoleModel, TableModel } from '../../../permissions/index.ts';
import { absentLike, type MarkerKey, markersIn } from './markers.ts';
import { funds, organizations, type Party, people } from './parties.ts';
import type { PlantedRow } from './plant.ts';
import type { Table } from './tables.ts';
import { type Variables, visibleRows } from './visible-rows.ts';

/** Values to compare a column with. */
export interface Operands {
  /** Values of rows that the role may not see. No visible row has these values in the column. */
  readonly foreign: readonly string[];
  /** A value of a visible row. */
  readonly own: string | undefined;
}

/** The planted rows and values that one role may see according to its rules. */
export interface RoleView {
  readonly role: RoleModel;
  readonly variables: Variables;
  /** Markers that no response may contain, with the values that they stand for. */
  readonly forbidden: ReadonlyMap<MarkerKey, string>;
  /** Markers that the responses of a complete run must contain, with their values. */
  readonly expected: ReadonlyMap<MarkerKey, string>;
  /** The visible rows, by table key. */
  readonly rows: ReadonlyMap<string, readonly PlantedRow[]>;
  /** The hidden rows, by table key. */
  readonly hidden: ReadonlyMap<string, readonly PlantedRow[]>;
  operands(table: TableModel, column: string): Operands;
}

/** Returns the session variables of a party: a person of an organization, with some of its funds. */
export function variablesOf(
  model: Model,
  planted: readonly PlantedRow[],
  whose: Party,
): Readonly<Record<string, string>> {
  const own = (table: string, column: string) =>
    planted.flatMap(({ table: { key }, party, values }) =>
      key === table && party === whose ? [values[column] ?? ''] : [],
    );
  const known: Readonly<Record<string, string | undefined>> = {
    organization_id: own(organizations, 'id')[0],
    user_id: own(people, 'id')[0],
    allowed_funds: `{${own(funds, 'id').join(',')}}`,
  };
  const entries = model.variables.map((name) => {
    const value = known[name];
    if (value === undefined) throw new Error(`roleView.ts knows no value for the variable ${name}`);
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}

/** Checks every planted value against the role's rules. */
export async function makeRoleView(
  client: pg.Client,
  role: RoleModel,
  tables: readonly Table[],
  planted: readonly PlantedRow[],
  variables: Variables,
): Promise<RoleView> {
  const seen = new Map<string, readonly PlantedRow[]>();
  const unseen = new Map<string, readonly PlantedRow[]>();
  for (const table of tables) {
    const flags = await visibleRows(client, role, table, variables);
    const rows = planted.filter((row) => row.table === table);
    seen.set(
      table.key,
      rows.filter((_, i) => flags[i]),
    );
    unseen.set(
      table.key,
      rows.filter((_, i) => !flags[i]),
    );
  }
  const columnsOf = (row: PlantedRow) => role.tables.get(row.table.key)?.select?.columns ?? [];
  const expected = cells([...seen.values()].flat(), columnsOf);
  const all = cells(planted, ({ values }) => Object.keys(values));
  const known = markersIn(Object.values(variables).join(' '));
  const forbidden = new Map([...all].filter(([key]) => !expected.has(key) && !known.has(key)));
  return {
    ...{ role, variables, forbidden, expected, rows: seen, hidden: unseen },
    operands: ({ key }, column) => operandsOf(seen.get(key) ?? [], unseen.get(key) ?? [], column),
  };
}

function cells(
  rows: readonly PlantedRow[],
  columnsOf: (row: PlantedRow) => readonly string[],
): ReadonlyMap<MarkerKey, string> {
  const found = new Map<MarkerKey, string>();
  for (const row of rows) {
    for (const column of columnsOf(row)) {
      const label = `${row.party} ${row.table.key}.${column}`;
      for (const key of markersIn(row.values[column] ?? '')) found.set(key, label);
    }
  }
  return found;
}

function operandsOf(
  seen: readonly PlantedRow[],
  unseen: readonly PlantedRow[],
  column: string,
): Operands {
  const own = new Set(seen.map(({ values }) => values[column]));
  const values = (rows: readonly PlantedRow[]) =>
    rows.flatMap(({ values }) => {
      const value = values[column];
      return value !== null && value !== undefined && !own.has(value) && absentLike(value) !== value
        ? [value]
        : [];
    });
  const [near] = values(unseen.filter(({ party }) => party !== 'other'));
  const [far] = values(unseen.filter(({ party }) => party === 'other'));
  const first = seen.map(({ values }) => values[column]).find((value) => value != null);
  return {
    foreign: [far, near].filter((value) => value !== undefined),
    own: first ?? undefined,
  };
}
