import {
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
} from 'graphql';
import { identity, inputOf, type Root } from './shape.ts';

/** The names of the fields that lead from a row to a value by which rows can be ordered. */
type Way = readonly string[];

const directions = ['asc', 'desc', 'asc_nulls_first', 'desc_nulls_last'];

/** Returns root fields with every column in `order_by` and in `distinct_on`, and with paging. */
export function columnOrders(schema: GraphQLSchema, root: Root): readonly string[] {
  const columns = waysOf(inputOf(schema, `${root.table.graphqlName}_order_by`), 0);
  const shown = identity(root).join(' ');
  return columns.flatMap(([name = ''], i) => [
    `${root.name}(order_by: {${name}: ${directions[i % directions.length]}}) { ${shown} }`,
    `${root.name}(distinct_on: ${name}, order_by: {${name}: desc}, limit: 2, offset: 1) { ${shown} }`,
  ]);
}

/** Returns a root field with its rows in the order of their keys. */
export function byKey(root: Root): string {
  const key = identity(root);
  return `${root.name}(order_by: [${key.map((name) => `{${name}: asc}`).join(', ')}]) { ${key.join(' ')} }`;
}

/** A root field that is ordered by a value behind relationships and that also selects the value. */
export interface Ordered {
  readonly field: string;
  readonly way: Way;
}

/**
 * Returns values up to three relationships away: all values of the nearest tables, each by one path, and one value of
 * other tables.
 * @param met values that other root fields of the role have used at the same distance
 */
export function relatedOrders(
  schema: GraphQLSchema,
  root: Root,
  met: Set<string>,
): readonly Ordered[] {
  const ways = waysOf(inputOf(schema, `${root.table.graphqlName}_order_by`), 3, 0, met);
  const key = identity(root);
  return ways
    .filter((way) => way.length > 1)
    .map((way) => {
      const order = way.reduceRight((inner, name) => `{${name}: ${inner}}`, 'asc');
      const rest = key.map((name) => `{${name}: asc}`);
      const seen = shownAs(way);
      const shown = seen
        .slice(0, -1)
        .reduceRight((inner, name) => `${name} { ${inner} }`, seen.at(-1) ?? '');
      return {
        field: `${root.name}(order_by: [${[order, ...rest].join(', ')}]) { ${key.join(' ')} ${shown} }`,
        way: seen,
      };
    });
}

/**
 * Returns whether the visible values explain the order of rows: equal values together, nulls last, and equal values in
 * the order of `byKey`.
 */
export function isExplained(
  rows: readonly unknown[],
  way: Way,
  byKey: readonly unknown[],
): boolean {
  const places = new Map(byKey.map((row, place) => [JSON.stringify(row), place]));
  const place = (row: unknown) =>
    places.get(JSON.stringify(Object.fromEntries(Object.entries(row as object).slice(0, -1)))) ??
    -1;
  const values = rows.map((row) => JSON.stringify(valueAt(row, way)));
  const firsts = [...new Set(values)];
  return rows.every((row, i) => {
    const isFirst = i === 0 || values[i] !== values[i - 1];
    if (isFirst)
      return (
        values.indexOf(values[i] ?? '') === i && (values[i] !== 'null' || firsts.at(-1) === 'null')
      );
    return place(rows[i - 1]) < place(row);
  });
}

function valueAt(row: unknown, way: Way): unknown {
  return way.reduce<unknown>(
    (value, name) => (value as Readonly<Record<string, unknown>> | null)?.[name] ?? null,
    row,
  );
}

// An order by `digital_wallets_aggregate { max { label } }` uses the value that the field `aggregate` shows.
function shownAs(way: Way): Way {
  return way.flatMap((name) => (name.endsWith('_aggregate') ? [name, 'aggregate'] : [name]));
}

/**
 * Returns paths to all values of the table, to all values of the nearest tables once, and to one value of each table
 * further away. Values behind a table do not depend on the path, so each appears once for each distance.
 */
function waysOf(
  type: GraphQLInputObjectType | undefined,
  hops: number,
  depth = 0,
  met = new Set<string>(),
): readonly Way[] {
  const fields = Object.values(type?.getFields() ?? {});
  const leaves = fields.flatMap(({ name, type: inner }) =>
    isInputObjectType(getNamedType(inner)) ? [] : [[name]],
  );
  const place = `${depth} ${type?.name}`;
  const isNew = !met.has(place);
  met.add(place);
  const further = (isNew && depth < hops ? fields : []).flatMap(({ name, type: inner }) => {
    const next = getNamedType(inner);
    if (!isInputObjectType(next)) return [];
    const rest = name.endsWith('_aggregate')
      ? aggregateWays(next, depth)
      : waysOf(next, hops, depth + 1, met);
    return rest.map((way) => [name, ...way]);
  });
  return [...(isNew && depth < 2 ? leaves : leaves.slice(0, 1)), ...further];
}

function aggregateWays(type: GraphQLInputObjectType, depth: number): readonly Way[] {
  const ways = Object.values(type.getFields()).flatMap(({ name, type: inner }) => {
    const columns = getNamedType(inner);
    if (!isInputObjectType(columns)) return [[name]];
    const [first] = Object.keys(columns.getFields());
    return first === undefined ? [] : [[name, first]];
  });
  return depth === 0 ? ways : ways.slice(0, 1);
}
