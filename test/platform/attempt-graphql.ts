import type { Refusal, Write } from './attempts.ts';

/** Maps each kind of refusal to the error code of the GraphQL response. */
export const graphqlRefusals: Readonly<Record<Refusal, string>> = {
  'not allowed': 'validation-failed',
  check: 'permission-error',
  key: 'constraint-violation',
  variable: 'not-found',
};

/** An operation whose only field is `written { affected_rows }`. */
export interface Operation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Returns a write as a GraphQL operation. */
export function operationOf(write: Write): Operation {
  const { kind, table } = write;
  const field = `${kind}_${table}`;
  switch (kind) {
    case 'insert':
      return operation(`$objects: [${table}_insert_input!]!`, `${field}(objects: $objects)`, {
        objects: [write.values],
      });
    case 'update':
      return operation(
        `$where: ${table}_bool_exp!, $set: ${table}_set_input!`,
        `${field}(where: $where, _set: $set)`,
        { where: write.where, set: write.set },
      );
    case 'delete':
      return operation(`$where: ${table}_bool_exp!`, `${field}(where: $where)`, {
        where: write.where,
      });
  }
}

function operation(parameters: string, field: string, variables: Operation['variables']) {
  return { query: `mutation (${parameters}) { written: ${field} { affected_rows } }`, variables };
}
