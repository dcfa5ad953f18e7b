import type { Dice } from './dice.ts';
import { passes } from './filters.ts';
import {
  anyValue,
  columnsOf,
  computed,
  type Data,
  functions,
  madeItems,
  type Row,
  relations,
  type StoredTable,
  stored,
  storedTableOf,
  type Table,
  tables,
} from './tables.ts';
import type { World } from './world.ts';

/** The values that random documents use as arguments of functions and computed fields. */
const argumentValues = [0, 1, 2, 3, 4, 5];

/**
 * Describes as text all values that a role with the given parents may learn from the data. Two data sets with equal
 * texts must get equal answers.
 */
class Knower {
  readonly #world: World;
  readonly #parents: readonly string[];

  constructor(world: World, parents: readonly string[]) {
    this.#world = world;
    this.#parents = parents;
  }

  of(data: Data): string {
    const rows = tables.flatMap((table) =>
      data[storedTableOf(table)].map((row) => [table, ...this.#ofRow(table, row, data)]),
    );
    return JSON.stringify([rows, this.#ofFunctions(data)]);
  }

  #ofRow(table: Table, row: Row, data: Data): readonly unknown[] {
    return this.#parents.map((role) => {
      const rules = this.#world.plain.get(role)?.[table] ?? {};
      const may = [rules.update, rules.delete].map(
        (rule) => rule && passes(rule.filter, table, row, data) === true,
      );
      const shown = this.#isShownTo(role, table, row, data);
      const cells = this.#readable(role, table).map((name) => row[name]);
      return [shown, may, shown && [cells, this.#computed(role, table, row, data)]];
    });
  }

  #isShownTo(role: string, table: Table, row: Row, data: Data): boolean {
    const select = this.#world.plain.get(role)?.[table]?.select;
    return select !== undefined && passes(select.filter, table, row, data) === true;
  }

  #isShown(table: Table, row: Row, data: Data): boolean {
    return this.#parents.some((role) => this.#isShownTo(role, table, row, data));
  }

  /**
   * Returns the columns of the rule, and the key columns that become readable through relationships (warning
   * `RG_HIDDEN_KEY`).
   */
  #readable(role: string, table: Table): readonly string[] {
    const rules = this.#world.plain.get(role);
    const keys = tables.flatMap((from) =>
      Object.values(relations[from]).flatMap((relation) => {
        if (!rules?.[from]?.select || !rules[relation.table]?.select) return [];
        return [
          ...(from === table ? Object.keys(relation.columns) : []),
          ...(relation.table === table ? Object.values(relation.columns) : []),
        ];
      }),
    );
    const found = Object.keys(computed[table]).length > 0 ? ['id'] : [];
    const readable = [...(rules?.[table]?.select?.columns ?? []), ...keys, ...found];
    return columnsOf[table].filter((name) => readable.includes(name));
  }

  #computed(role: string, table: Table, row: Row, data: Data): readonly unknown[] {
    const listed = this.#world.plain.get(role)?.[table]?.select?.computed_fields ?? [];
    return Object.entries(computed[table]).flatMap(([name, { rows, of }]) => {
      if (!rows) return listed.includes(name) ? [of(row, data, 1)] : [];
      return argumentValues.map((argument) => {
        const found = of(row, data, argument) as readonly Row[];
        const seen = found.filter((one) => this.#isShown(rows, one, data));
        return seen.map((one) => data[rows].indexOf(one));
      });
    });
  }

  #ofFunctions(data: Data): readonly unknown[] {
    const given = {
      all_items: (row: Row, argument: number) => row.a != null && row.a <= argument,
      one_owner: (row: Row, argument: number) => row.id === argument,
      made_items: () => false,
    };
    return [...this.#world.callers]
      .filter(([, roles]) => this.#parents.some((role) => roles.includes(role)))
      .map(([name]) => {
        const { table } = functions[name];
        const seen = data[table].filter((row) => this.#isShown(table, row, data));
        const rows = argumentValues.map((argument) =>
          seen.map((row) => given[name](row, argument)),
        );
        const shown = (row: Row) =>
          this.#parents.map((role) => this.#isShownTo(role, table, row, data));
        return [rows, name === 'made_items' ? madeItems.map(shown) : []];
      });
  }
}

/**
 * Makes random changes that a role with the given parents may not see.
 * @returns the changed data and the number of changes
 */
export function unseenChange(
  dice: Dice,
  world: World,
  parents: readonly string[],
  data: Data,
  { keepsRows }: { readonly keepsRows: boolean },
): { readonly data: Data; readonly changes: number } {
  const knower = new Knower(world, parents);
  const known = knower.of(data);
  let current = data;
  let changes = 0;
  for (let attempt = 0; attempt < 120; attempt++) {
    const table = dice.pick(Object.keys(stored) as StoredTable[]);
    const rows = keepsRows || dice.chance(0.85) ? changeCell : changeRows;
    const next = { ...current, [table]: rows(dice, table, current[table], keepsRows) };
    if (knower.of(next) !== known) continue;
    current = next;
    changes += 1;
  }
  return { data: current, changes };
}

function changeCell(
  dice: Dice,
  table: StoredTable,
  rows: readonly Row[],
  keepsKeys: boolean,
): readonly Row[] {
  const at = dice.below(rows.length);
  const column = dice.pick(stored[table].filter((name) => !keepsKeys || name !== 'id'));
  const value = column === 'id' ? 100 + dice.below(1_000_000) : anyValue(dice);
  return rows.map((row, index) => (index === at ? { ...row, [column]: value } : row));
}

function changeRows(dice: Dice, table: StoredTable, rows: readonly Row[]): readonly Row[] {
  const at = dice.below(rows.length);
  if (dice.chance(0.5)) return rows.toSpliced(at, 1);
  const cells = stored[table].map((name) => [name, anyValue(dice)]);
  return rows.toSpliced(at, 0, {
    ...Object.fromEntries(cells),
    id: 100 + dice.below(1_000_000),
  });
}
