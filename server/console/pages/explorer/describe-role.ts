import { buildClientSchema, type GraphQLSchema, type IntrospectionQuery } from 'graphql';
import type { Matrix, RoleSchema } from '../api/answers.ts';
import { askServer } from '../api/ask-server.ts';

/** What a role may ask for. */
export interface DescribedRole extends Pick<RoleSchema, 'variables' | 'documents'> {
  readonly schema: GraphQLSchema;
}

/** The roles that were described, by the rules at that time. Loading the rules again makes another matrix. */
const described = new WeakMap<Matrix, Map<string, Promise<DescribedRole>>>();

/** Loads the schema of a role, once for each state of the rules. @throws ServerError */
export function describeRole(role: string, matrix: Matrix): Promise<DescribedRole> {
  const roles = described.get(matrix) ?? new Map<string, Promise<DescribedRole>>();
  described.set(matrix, roles);
  const loading = roles.get(role) ?? load(role);
  roles.set(role, loading);
  loading.catch(() => roles.delete(role));
  return loading;
}

async function load(role: string): Promise<DescribedRole> {
  const found = await askServer<RoleSchema>(`/admin/schema?role=${encodeURIComponent(role)}`);
  const { schema, variables, documents } = found;
  return { schema: buildClientSchema(schema as IntrospectionQuery), variables, documents };
}
