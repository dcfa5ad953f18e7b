import type { CatalogTable } from '../catalog/types.ts';
import {
  rootFieldsByType,
  takenGraphqlNames,
  typesNamedAfter,
} from '../model/conflicts/name-conflicts.ts';
import { rootFieldsOf } from '../model/tables/root-fields.ts';
import { graphqlName } from '../text/names.ts';
import type { FunctionModel } from '../types/functions.ts';
import type { TableModel } from '../types/tables.ts';

/** The names in GraphQL that the file of a table must write, because the default names are taken. */
export interface ProposedNames {
  /** Undefined: the default name is free. */
  readonly table: string | undefined;
  readonly columns: ReadonlyMap<string, string>;
  /** The GraphQL fields of all columns. */
  readonly fields: ReadonlySet<string>;
}

/** Gives new tables names in GraphQL that no other table has. */
export class GraphqlNames {
  readonly #taken: Set<string>;

  constructor(tables: Iterable<TableModel>, functions: Iterable<FunctionModel>) {
    const models = [...tables];
    this.#taken = new Set([
      ...[...takenGraphqlNames(models, functions)].map(typeName),
      ...models.flatMap(({ rootFields }) => rootNames(rootFields)),
    ]);
  }

  /** Returns the names for a table, and marks them as taken. */
  propose(table: CatalogTable): ProposedNames {
    const prefix = table.schema === 'public' ? '' : `${table.schema}_`;
    const byDefault = graphqlName(`${prefix}${table.name}`);
    const name = freeName(byDefault, (one) => namesOf(one).some((each) => this.#taken.has(each)));
    for (const one of namesOf(name)) this.#taken.add(one);
    return { table: name === byDefault ? undefined : name, ...fieldsOf(table) };
  }
}

/** Returns the name itself, or the name with the first number that makes it free. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number++) free = graphqlName(`${name}_${number}`);
  return free;
}

function namesOf(name: string): readonly string[] {
  return [...typesNamedAfter(name).map(typeName), ...rootNames(rootFieldsOf(name))];
}

function typeName(name: string): string {
  return `type ${name}`;
}

function rootNames(names: TableModel['rootFields']): readonly string[] {
  return Object.entries(rootFieldsByType).flatMap(([type, fields]) =>
    fields.map((field) => `${type} ${names[field]}`),
  );
}

function fieldsOf({ columns }: CatalogTable): Omit<ProposedNames, 'table'> {
  const fields = new Set(['_and', '_or', '_not']);
  const renamed = new Map<string, string>();
  for (const { name } of columns) {
    const byDefault = graphqlName(name);
    const field = freeName(byDefault, (one) => fields.has(one));
    fields.add(field);
    if (field !== byDefault) renamed.set(name, field);
  }
  return { columns: renamed, fields };
}
