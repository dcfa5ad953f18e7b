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
    reportMembers(table, report);
  }
}

function reportTable(table: TableModel, taken: Map<string, string>, report: Report): void {
  const own = `${table.schema}.${table.name}`;
  const told = new Set<string>();
  for (const name of namesOf(table)) {
    const other = taken.get(name);
    if (other !== undefined && !told.has(other)) clash(table, name, `${own} and ${other}`, report);
    if (other !== undefined) told.add(other);
    taken.set(name, own);
  }
}

/** Fields of a row and members of `where`, but for relationships called like columns, which stand in a file. */
function reportMembers(table: TableModel, report: Report): void {
  const taken = new Map(['_and', '_or', '_not'].map((name) => [name, 'the operator']));
  const columns = [...table.columns.values()];
  const arrays = [...table.relationships.values()].filter(({ kind }) => kind === 'array');
  const members = [
    ...columns.map(({ graphqlName, name }) => [graphqlName, `"${name}"`] as const),
    ...arrays.map(({ name }) => [`${name}_aggregate`, `the aggregate of "${name}"`] as const),
  ];
  for (const [field, member] of members) {
    const other = taken.get(field);
    if (other !== undefined)
      clash(table, field, `${other} and ${member} of ${table.schema}.${table.name}`, report);
    taken.set(field, member);
  }
}

function clash(table: TableModel, name: string, both: string, report: Report): void {
  const message = `${both} would both be "${name}" in GraphQL`;
  report.error('RG_NAME_CONFLICT', table.position, message, 'give one of them another name');
}
