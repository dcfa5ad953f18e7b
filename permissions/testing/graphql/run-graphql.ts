import type pg from 'pg';
import type { Model, RoleModel } from '../../types/model.ts';
import type { VariableName } from '../../types/names.ts';

/** One GraphQL operation of a caller. */
export interface GraphqlOperation {
  readonly role: RoleModel;
  readonly variables: ReadonlyMap<VariableName, string>;
  readonly query: string;
}

/** The data of an operation, or the message of its error. */
export type GraphqlResult =
  | { readonly data: Readonly<Record<string, unknown>> }
  | { readonly error: string };

export type RunGraphql = (operation: GraphqlOperation) => Promise<GraphqlResult>;

/** Opens GraphQL inside the transaction of a connection, with the rules of a model that are in force there. */
export type OpenGraphql = (client: pg.ClientBase, model: Model) => Promise<RunGraphql>;
