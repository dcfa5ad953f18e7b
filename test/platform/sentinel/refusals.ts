import type { Model, TableModel } from '../../../permissions/index.ts';
import type { Answer } from './probe.ts';
import type { RoleView } from './role-view.ts';

/** A query with a name that the role may not use, and the same query with a name that does not exist. */
export interface Refusal {
  readonly name: string;
  readonly hidden: string;
  readonly missing: string;
}

/** Returns the message about a missing name, with another name in its place. */
export function messageAbout(answer: Answer, name: string): string {
  return JSON.stringify(answer).replaceAll(missingName, name);
}

/** No table, column or relationship has this name. */
export const missingName = 'no_such_name';

/** Returns queries with every name of the model that the role may not use, at every place where the name is valid. */
export function refusals(model: Model, roleView: RoleView): readonly Refusal[] {
  return [...model.tables.values()].flatMap((table) => {
    const permissions = roleView.role.tables.get(table.key);
    const select = permissions?.select;
    if (!select) return inRoot(table);
    const hidden = [...table.columns.values()].filter(({ name }) => !select.columns.includes(name));
    const relations = [...table.relationships.keys()].filter(
      (name) => !permissions.relationships.has(name),
    );
    return [
      ...hidden.flatMap(({ graphqlName }) =>
        asColumn(table, graphqlName, select.allowAggregations),
      ),
      ...relations.flatMap((name) => asRelation(table, name)),
    ];
  });
}

function inRoot({ graphqlName, primaryKey }: TableModel): readonly Refusal[] {
  const [key = 'id'] = primaryKey;
  return [
    twice(graphqlName, (name) => `{ ${name} { ${key} } }`),
    twice(graphqlName, (name) => `{ ${name}_by_pk(${key}: "1") { ${key} } }`),
    twice(graphqlName, (name) => `{ ${name}_aggregate { aggregate { count } } }`),
    twice(graphqlName, (name) => `query ($w: ${name}_bool_exp) { ${name}(where: $w) { ${key} } }`),
  ];
}

function asColumn(
  { graphqlName: table }: TableModel,
  column: string,
  aggregates: boolean,
): readonly Refusal[] {
  const ask = (text: (name: string) => string) => twice(column, text);
  return [
    ask((name) => `{ ${table} { ${name} } }`),
    ask((name) => `{ ${table}(where: {${name}: {_is_null: true}}) { __typename } }`),
    ask((name) => `{ ${table}(where: {_not: {_or: [{${name}: {_eq: "1"}}]}}) { __typename } }`),
    ask((name) => `{ ${table}(order_by: {${name}: asc}) { __typename } }`),
    ask((name) => `{ ${table}(distinct_on: ${name}) { __typename } }`),
    ...(aggregates
      ? [
          ask((name) => `{ ${table}_aggregate { aggregate { max { ${name} } } } }`),
          ask((name) => `{ ${table}_aggregate { aggregate { count(columns: [${name}]) } } }`),
          ask((name) => `{ ${table}_aggregate { nodes { ${name} } } }`),
        ]
      : []),
  ];
}

function asRelation({ graphqlName: table }: TableModel, relation: string): readonly Refusal[] {
  return [
    twice(relation, (name) => `{ ${table} { ${name} { __typename } } }`),
    twice(relation, (name) => `{ ${table} { ${name}_aggregate { aggregate { count } } } }`),
    twice(relation, (name) => `{ ${table}(where: {${name}: {}}) { __typename } }`),
    twice(relation, (name) => `{ ${table}(order_by: {${name}: {id: asc}}) { __typename } }`),
  ];
}

function twice(name: string, text: (name: string) => string): Refusal {
  return { name, hidden: text(name), missing: text(missingName) };
}
