import type { Report } from '../../diagnostics.ts';
import type { RootField } from '../../metadata/schemas/tables/graphql-names.ts';
import type { FunctionField } from '../../types/functions.ts';
import type { TableModel } from '../../types/tables.ts';
import type { TrackedFunction } from '../functions/functions.ts';
import {
  hasRootField,
  rootFieldsByType,
  takenGraphqlNames,
  typesOfFunction,
} from './name-conflicts.ts';

type Tables = ReadonlyMap<string, TableModel>;

/** Reports root fields and types of functions whose GraphQL names another object already has. */
export function reportFunctionConflicts(
  functions: readonly TrackedFunction[],
  tables: Tables,
  report: Report,
): void {
  const fields = {
    query: rootsOf(tables, rootFieldsByType.subscription_root),
    mutation: rootsOf(tables, rootFieldsByType.mutation_root),
  };
  const types = new Map(
    [...takenGraphqlNames(tables.values())].map((name) => [name, 'another type of the schema']),
  );
  for (const { raw, model } of functions) {
    const { exposedAs, rootFields } = model;
    const own = `${model.function.schema}.${model.function.name}`;
    const claim = (
      taken: Map<string, string>,
      name: string,
      label: string,
      position = raw.graphql.name?.position ?? raw.function.position,
    ) => {
      const other = taken.get(name);
      taken.set(name, label);
      if (!other) return;
      const message = `${label} and ${other} would both be "${name}" in GraphQL`;
      const hint = 'call one of them otherwise, by graphql: { name: … } or { root_fields: … }';
      report.error('RG_NAME_CONFLICT', position, message, hint);
    };
    for (const field of fieldsOf(exposedAs)) {
      const given = field === 'function' ? raw.graphql.function : raw.graphql.functionAggregate;
      const label = `the root field ${field} of ${own}`;
      claim(fields[exposedAs], rootFields[field], label, given.name?.position);
    }
    for (const type of typesOfFunction(model)) claim(types, type, `the arguments of ${own}`);
  }
}

function fieldsOf(exposedAs: 'query' | 'mutation'): readonly FunctionField[] {
  return exposedAs === 'query' ? ['function', 'function_aggregate'] : ['function'];
}

/** Returns the root fields of tables by name, each with a label for messages. */
export function rootsOf(tables: Tables, fields: readonly RootField[]): Map<string, string> {
  const named = [...tables.values()].flatMap((table) =>
    fields
      .filter((field) => hasRootField(table, field))
      .map((field) => {
        const label = `the root field ${field} of ${table.schema}.${table.name}`;
        return [table.rootFields[field], label] as const;
      }),
  );
  return new Map(named);
}
