import type { Report } from '../diagnostics.ts';
import type { TableModel } from './types.ts';

/** Types that every schema has. */
const ownTypes = [
  ...['Boolean', 'Float', 'ID', 'Int', 'String', 'order_by'],
  ...['query_root', 'mutation_root', 'subscription_root'],
];

const aggregates = [
  ...['avg', 'max', 'min', 'stddev', 'stddev_pop', 'stddev_samp'],
  ...['sum', 'var_pop', 'var_samp', 'variance'],
];

/** What the name of a table is followed by in root fields and types. */
const suffixes = [
  ...['', '_aggregate', '_by_pk', '_bool_exp', '_order_by', '_select_column'],
  ...['_aggregate_fields', '_aggregate_order_by'],
  ...aggregates.flatMap((name) => [`_${name}_fields`, `_${name}_order_by`]),
];

/** Everything in GraphQL that is neither a column nor a type of one: nothing else may be called so. */
export function takenGraphqlNames(tables: Iterable<TableModel>): ReadonlySet<string> {
  return new Set([...ownTypes, ...[...tables].flatMap(namesOf)]);
}

function namesOf(table: TableModel): readonly string[] {
  return suffixes.map((suffix) => `${table.graphqlName}${suffix}`);
}

/** Reports root fields, types and columns that would be the same in GraphQL: one error for each pair. */
export function reportNameConflicts(tables: Iterable<TableModel>, report: Report): void {
  const taken = new Map(ownTypes.map((name) => [name, 'a type of every schema']));
  for (const table of tables) {
    reportTable(table, taken, report);
    reportColumns(table, report);
  }
}

function reportTable(table: TableModel, taken: Map<string, string>, report: Report): void {
  const told = new Set<string>();
  for (const name of namesOf(table)) {
    const other = taken.get(name);
    if (other !== undefined && !told.has(other)) clash(table, name, other, report);
    if (other !== undefined) told.add(other);
    taken.set(name, `${table.schema}.${table.name}`);
  }
}

function reportColumns(table: TableModel, report: Report): void {
  const columns = new Map<string, string>();
  for (const { graphqlName, name } of table.columns.values()) {
    const other = columns.get(graphqlName);
    if (other !== undefined)
      clash(table, graphqlName, `its columns "${other}" and "${name}"`, report);
    columns.set(graphqlName, name);
  }
}

function clash(table: TableModel, name: string, other: string, report: Report): void {
  report.error(
    'RG_NAME_CONFLICT',
    table.position,
    `${table.schema}.${table.name} and ${other} would both be "${name}" in GraphQL`,
  );
}
