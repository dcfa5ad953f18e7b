import fc from 'fast-check';
import { anyTest } from './generate-tests.ts';
import { type Column, type Expression, named, type Schema, type Table } from './vocabulary.ts';

type AnyExpression = fc.Arbitrary<Expression>;
type Weighted = fc.WeightedArbitrary<Expression>;

const maxHops = 2;

interface Place {
  readonly table: Table;
  readonly root: Table;
  /** The number of further levels and relationships that an expression may have. */
  readonly depth: number;
  readonly hops: number;
}

/** Returns a generator of expressions for rules on a table, nested up to the given depth. */
export function anyExpressionOf(schema: Schema): (table: Table, depth: number) => AnyExpression {
  const known = new Map<string, AnyExpression>();
  const at = (place: Place): AnyExpression => {
    const key = `${place.table.name} ${place.root.name} ${place.depth} ${place.hops}`;
    const found = known.get(key) ?? anyExpression(place, schema, at);
    known.set(key, found);
    return found;
  };
  return (table, depth) => at({ table, root: table, depth, hops: maxHops });
}

function anyExpression(
  place: Place,
  schema: Schema,
  at: (place: Place) => AnyExpression,
): AnyExpression {
  const leaf = { arbitrary: anyColumn(place), weight: 6 };
  if (place.depth === 0) return leaf.arbitrary;
  const inner = at({ ...place, depth: place.depth - 1 });
  return fc.oneof(
    { withCrossShrink: true },
    leaf,
    ...connected(inner),
    ...(place.hops === 0 ? [] : elsewhere(place, schema, at)),
  );
}

function connected(item: AnyExpression): readonly Weighted[] {
  const items = fc.array(item, { maxLength: 3 });
  return [
    {
      arbitrary: fc.record({ kind: fc.constant('and'), items, merged: fc.boolean() }),
      weight: 1,
    },
    { arbitrary: fc.record({ kind: fc.constant('or'), items }), weight: 3 },
    { arbitrary: fc.record({ kind: fc.constant('not'), item }), weight: 3 },
    { arbitrary: fc.record({ kind: fc.constant('named'), item }), weight: 1 },
  ];
}

function elsewhere(
  { table, root, depth, hops }: Place,
  schema: Schema,
  at: (place: Place) => AnyExpression,
): readonly Weighted[] {
  const far = (name: string) =>
    at({ table: named(schema, name), root, depth: depth - 1, hops: hops - 1 });
  const related = table.relationships.map((way) =>
    fc.record({
      kind: fc.constant('related' as const),
      relationship: fc.constant(way.name),
      item: far(way.table),
    }),
  );
  const exists = schema.map(({ name }) =>
    fc.record({ kind: fc.constant('exists' as const), table: fc.constant(name), item: far(name) }),
  );
  return [
    { arbitrary: fc.oneof(...related), weight: 5 },
    { arbitrary: fc.oneof(...exists), weight: 2 },
  ];
}

function anyColumn({ table, root, hops }: Place): AnyExpression {
  const columns = table.columns.map((column) => ({
    weight: weightOf(column),
    arbitrary: fc.record({
      kind: fc.constant('column' as const),
      column: fc.constant(column.name),
      tests: fc.uniqueArray(anyTest(column, table, root, hops < maxHops), {
        minLength: 1,
        maxLength: 2,
        selector: ({ operator }) => operator,
      }),
      short: fc.boolean(),
    }),
  }));
  return fc.oneof(...columns);
}

/** Returns how often a column is tested. Columns whose types have many operators are tested more often. */
function weightOf({ name, type }: Column): number {
  if (/^(id|num|\w+_id|pair_num)$/.test(name)) return 1;
  if (type === 'text' || type === 'varchar') return 9;
  return type === 'citext' || type === 'jsonb' ? 6 : 3;
}
