import type { Position, Report } from '../../diagnostics.ts';
import type { RootField } from '../../metadata/schemas/tables/graphql-names.ts';
import type { FunctionModel } from '../../types/functions.ts';
import type { TableModel } from '../../types/tables.ts';
import { type NamedTable, reportMembers } from './member-conflicts.ts';

/** Types that every GraphQL schema has, whatever its tables are. */
const ownTypes = [
  ...['Boolean', 'Float', 'ID', 'Int', 'String', 'bigint', 'smallint', 'order_by'],
  'cursor_ordering',
  ...['query_root', 'mutation_root', 'subscription_root'],
  ...['citext_cast_exp', 'jsonb_cast_exp', 'uuid_cast_exp'],
];

const aggregates = [
  ...['avg', 'max', 'min', 'stddev', 'stddev_pop', 'stddev_samp'],
  ...['sum', 'var_pop', 'var_samp', 'variance'],
];

const pairs = ['corr', 'covar_samp'];

/** The aggregates that a `where` on related rows can compute from columns. Each adds a type. */
const predicates = [
  ...['avg', 'bool_and', 'bool_or', 'max', 'min', 'stddev_samp', 'sum', 'var_samp'],
  ...pairs,
];

/** Suffixes that, after a table's name, give the names of its GraphQL types. */
const suffixes = [
  ...['', '_aggregate', '_bool_exp', '_order_by', '_select_column'],
  ...['_aggregate_fields', '_aggregate_order_by'],
  ...aggregates.flatMap((name) => [`_${name}_fields`, `_${name}_order_by`]),
  ...['_aggregate_bool_exp', '_aggregate_bool_exp_count'],
  ...predicates.map((name) => `_aggregate_bool_exp_${name}`),
  ...pairs.map((name) => `_aggregate_bool_exp_${name}_arguments`),
  ...['_insert_input', '_obj_rel_insert_input', '_arr_rel_insert_input'],
  ...['_on_conflict', '_constraint', '_update_column', '_updates', '_pk_columns_input'],
  ...['_set_input', '_inc_input', '_append_input', '_prepend_input'],
  ...['_delete_key_input', '_delete_elem_input', '_delete_at_path_input'],
  '_mutation_response',
  ...['_stream_cursor_input', '_stream_cursor_value_input'],
];

/** The root fields of a table, by the root type that has them. */
export const rootFieldsByType = {
  query_root: ['select', 'select_by_pk', 'select_aggregate'],
  subscription_root: ['select', 'select_by_pk', 'select_aggregate', 'select_stream'],
  mutation_root: [
    ...(['insert', 'insert_one', 'update', 'update_by_pk', 'update_many'] as const),
    ...(['delete', 'delete_by_pk'] as const),
  ],
} satisfies Readonly<Record<string, readonly RootField[]>>;

/** Returns the names of all GraphQL types except those of columns. The type of a column must not have one of them. */
export function takenGraphqlNames(
  tables: Iterable<TableModel>,
  functions: Iterable<FunctionModel> = [],
): ReadonlySet<string> {
  const called = [...functions].flatMap(typesOfFunction);
  return new Set([...ownTypes, ...called, ...[...tables].flatMap(typesOf)]);
}

function typesOf(table: TableModel): readonly string[] {
  const { graphqlName, computedFields } = table;
  const withArguments = [...computedFields.values()].filter((field) =>
    field.arguments.some(({ kind }) => kind === 'client'),
  );
  return [
    ...typesNamedAfter(graphqlName),
    ...(table.enum ? [table.enum.graphqlName] : []),
    ...withArguments.map(({ name }) => `${name}_${graphqlName}_args`),
  ];
}

/** Returns the names of the types of every table that has this name in GraphQL. */
export function typesNamedAfter(graphqlName: string): readonly string[] {
  return [
    ...suffixes.map((suffix) => `${graphqlName}${suffix}`),
    ...predicates.map((name) => {
      const predicate = `${graphqlName}_aggregate_bool_exp_${name}`;
      return `${graphqlName}_select_column_${predicate}_arguments_columns`;
    }),
  ];
}

/**
 * Returns the name of the GraphQL type for the function's client arguments. The list is empty without such arguments.
 */
export function typesOfFunction({ name, arguments: taken }: FunctionModel): readonly string[] {
  return taken.some(({ kind }) => kind === 'client') ? [`${name}_args`] : [];
}

/** Reports root fields, types, columns and relationships that would have the same GraphQL name. */
export function reportNameConflicts(tables: readonly NamedTable[], report: Report): void {
  const clashing = new Clashes(report);
  for (const table of tables) {
    for (const name of typesOf(table.model)) clashing.addType(name, table);
  }
  for (const fields of Object.values(rootFieldsByType)) {
    clashing.nextRoot();
    for (const table of tables) {
      for (const field of fields) {
        if (hasRootField(table.model, field)) clashing.addRoot(field, table);
      }
    }
  }
  for (const table of tables) reportMembers(table, report);
}

/** Returns whether roles can have a root field of a table. Only live tables have streams. */
export function hasRootField({ live }: TableModel, field: RootField): boolean {
  return field !== 'select_stream' || live !== undefined;
}

interface Owner {
  readonly label: string;
  /** The table that has the name. Absent: the name is taken in every schema. */
  readonly table?: TableModel;
  /** The position of the name in the file. For a derived name, the position of its source name. */
  readonly given?: Position | undefined;
}

/** Collects the taken names and reports clashes. Two tables that clash in several names are reported once. */
class Clashes {
  readonly #report: Report;
  readonly #reported = new Set<string>();
  readonly #types = new Map<string, Owner>(
    ownTypes.map((name) => [name, { label: 'a type of every schema' }]),
  );
  #roots = new Map<string, Owner>();

  constructor(report: Report) {
    this.#report = report;
  }

  addType(name: string, { model, graphql }: NamedTable): void {
    const own = { label: labelOf(model), table: model, given: graphql.name?.position };
    const isComparison = name.endsWith('_comparison_exp');
    const other = isComparison ? { label: 'what columns are compared by' } : this.#types.get(name);
    this.#types.set(name, own);
    if (other) this.#reportClash(name, other, own, 'name: …');
  }

  /** Begins another root type. Names of its fields do not clash with fields of earlier root types. */
  nextRoot(): void {
    this.#roots = new Map();
  }

  addRoot(field: RootField, { model, graphql }: NamedTable): void {
    const name = model.rootFields[field];
    const label = `the root field ${field} of ${labelOf(model)}`;
    const given = graphql.rootFields.find((one) => one.field === field)?.name ?? graphql.name;
    const own = { label, table: model, given: given?.position };
    const other = this.#roots.get(name);
    this.#roots.set(name, own);
    if (other) this.#reportClash(name, other, own, `root_fields: { ${field}: … }`);
  }

  #reportClash(name: string, other: Owner, own: Required<Owner>, key: string): void {
    // Queries and subscriptions share names, so one table could clash with itself in both root types.
    if (this.#wasReported(other, own, other.table === own.table ? name : '')) return;
    this.#report.error(
      'RG_NAME_CONFLICT',
      own.given ?? other.given ?? own.table.position,
      `${own.label} and ${other.label} would both be "${name}" in GraphQL`,
      `call one of them otherwise, by graphql: { ${key} } in its file`,
    );
  }

  #wasReported(other: Owner, { table }: Owner, name: string): boolean {
    const pair = JSON.stringify([other.table?.key, table?.key, name]);
    const before = this.#reported.has(pair);
    this.#reported.add(pair);
    return before;
  }
}

function labelOf({ schema, name }: TableModel): string {
  return `${schema}.${name}`;
}
