import fc from 'fast-check';
import { cellPool, patternPools, scalarPools } from './pools.ts';
import type { Cell, Column, Row, Rows, Schema, Table, Value, Variables } from './vocabulary.ts';

/** Small numbers for keys, so that they often refer to a row. */
const keyPools: Readonly<Record<string, readonly string[]>> = {
  num: ['1', '2'],
  pair_num: ['1', '2'],
  up_id: ['1', '2', '3', '4'],
  self_id: ['1', '2', '3', '4'],
  pair_id: ['1', '2', '3'],
};

function anyCell({ name, type, nullable }: Column): fc.Arbitrary<Cell> {
  const value = fc.constantFrom(...(keyPools[name] ?? cellPool(type)));
  return nullable ? fc.option(value, { freq: 3 }) : value;
}

/** Makes values of all columns except the id, which is the index of the row. */
function anyCells(table: Table): fc.Arbitrary<Row> {
  const columns = table.columns.filter(({ name }) => name !== 'id');
  return fc.record(Object.fromEntries(columns.map((column) => [column.name, anyCell(column)])));
}

const numbered = (rows: readonly Row[], first: number): readonly Row[] =>
  rows.map((row, index) => ({ id: String(first + index), ...row }));

export function anyRows(schema: Schema): fc.Arbitrary<Rows> {
  const ofTable = (table: Table) => {
    const few = fc.array(anyCells(table), { maxLength: 2 });
    const more = fc.array(anyCells(table), { minLength: 3, maxLength: 6 });
    return fc
      .oneof(
        { withCrossShrink: true },
        { arbitrary: few, weight: 1 },
        { arbitrary: more, weight: 5 },
      )
      .map((rows) => numbered(rows, 1));
  };
  return fc.record(Object.fromEntries(schema.map((table) => [table.name, ofTable(table)])));
}

/** Rows that do not exist yet. */
export function anyCandidates(table: Table): fc.Arbitrary<readonly Row[]> {
  return fc
    .array(anyCells(table), { minLength: 1, maxLength: 4 })
    .map((rows) => numbered(rows, 101));
}

/** The values of variables of each kind, by the prefix of their names. */
function variablePools(): Readonly<Record<string, fc.Arbitrary<Value>>> {
  const pools: Record<string, fc.Arbitrary<Value>> = {
    pattern: fc.constantFrom(...(patternPools.any ?? [])),
  };
  for (const [type, pool] of Object.entries(scalarPools)) {
    pools[type] = fc.constantFrom(...pool);
    pools[`${type}_list`] = fc.array(fc.option(fc.constantFrom(...pool), { freq: 8 }), {
      maxLength: 3,
    });
  }
  return pools;
}

/** Makes settings of all variables. A few percent of them are missing, and a few percent are empty. */
export function anyVariables(missing: number): fc.Arbitrary<Variables> {
  const entries = Object.entries(variablePools()).flatMap(([kind, value]) => {
    const given = fc.oneof(
      { arbitrary: value, weight: 100 - 2 * missing },
      { arbitrary: fc.constant(undefined), weight: missing },
      { arbitrary: fc.constant(''), weight: missing },
    );
    return ['a', 'b'].map((letter) => [`${kind}_${letter}`, given] as const);
  });
  return fc
    .record(Object.fromEntries(entries))
    .map((record) =>
      Object.fromEntries(
        Object.entries(record).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        ),
      ),
    );
}
