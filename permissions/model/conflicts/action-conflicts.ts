import type { Position, Report } from '../../diagnostics.ts';
import type { RawAction, RawActions } from '../../metadata/schemas/actions/actions.ts';
import type { FunctionModel } from '../../types/functions.ts';
import type { TableKey } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';
import { rootsOf } from './function-conflicts.ts';
import { rootFieldsByType, takenGraphqlNames } from './name-conflicts.ts';

/** The tables and functions whose GraphQL names an action may not use, and the report for conflicts. */
export interface NameScope {
  readonly tables: ReadonlyMap<TableKey, TableModel>;
  readonly functions: readonly FunctionModel[];
  readonly report: Report;
}

/** GraphQL names that are taken, each with a label of its owner for messages. */
type Taken = Map<string, string>;

/** Reports root fields and types of actions whose GraphQL names another object already has. */
export function reportActionConflicts(
  { actions, customTypes }: RawActions,
  { tables, functions, report }: NameScope,
): void {
  const claim = (taken: Taken, name: string, label: string, position: Position) => {
    const other = taken.get(name);
    taken.set(name, label);
    if (!other) return;
    const message = `${label} and ${other} would both be "${name}" in GraphQL`;
    report.error('RG_NAME_CONFLICT', position, message, 'call one of them otherwise');
  };
  const types = takenTypes(tables.values(), functions);
  // When two custom types have the same name, this map keeps only one of them. An earlier step has reported that
  // mistake.
  const own = new Map(customTypes.map((type) => [type.name, type]));
  for (const { name, position } of own.values()) claim(types, name, `the type "${name}"`, position);
  const query = new Map([
    ...rootsOf(tables, rootFieldsByType.query_root),
    ...functionRoots(functions, 'query'),
  ]);
  const mutation = new Map([
    ...rootsOf(tables, rootFieldsByType.mutation_root),
    ...functionRoots(functions, 'mutation'),
  ]);
  for (const action of actions) {
    const { name, position } = action;
    const label = `the action "${name}"`;
    claim(action.type === 'query' ? query : mutation, name, label, position);
    if (!isAsynchronous(action)) continue;
    claim(query, name, `the query for the outcome of ${label}`, position);
    claim(types, name, `the outcome of ${label}`, position);
  }
}

function isAsynchronous({ type, kind }: RawAction): boolean {
  return type === 'mutation' && kind.name === 'asynchronous';
}

function takenTypes(tables: Iterable<TableModel>, functions: readonly FunctionModel[]): Taken {
  const all = [...tables];
  const columns = all.flatMap((table) => [...table.columns.values()]);
  const ofColumns = columns.flatMap(({ type }) => {
    const { name } = type.element ?? type;
    return [name, `${name}_comparison_exp`, `${name}_array_comparison_exp`];
  });
  const names = new Set([...takenGraphqlNames(all, functions), ...ofColumns]);
  return new Map([...names].map((name) => [name, 'a type of the schema']));
}

function functionRoots(functions: readonly FunctionModel[], type: 'query' | 'mutation'): Taken {
  return new Map(
    functions
      .filter(({ exposedAs }) => exposedAs === type)
      .flatMap(({ rootFields, function: { schema, name } }) =>
        Object.values(rootFields).map((field) => [field, `the function ${schema}.${name}`]),
      ),
  );
}
