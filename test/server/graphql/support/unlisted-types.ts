import pg from 'pg';
import { loadModel } from '../../../../permissions/index.ts';
import { takenGraphqlNames } from '../../../../permissions/role-view.ts';
import type { Gateway } from './gateway.ts';

interface NamedType {
  readonly name: string;
  readonly kind: string;
}

/**
 * Returns GraphQL types whose names a table could also have, although loading the metadata would report no conflict.
 */
export async function unlistedTypes({ ask, folder, gatewayUrl }: Gateway): Promise<string[]> {
  const client = new pg.Client({ connectionString: gatewayUrl });
  await client.connect();
  const model = await loadModel({ metadata: folder, headerPrefix: 'X-Gql-', client });
  await client.end();
  const listed = takenGraphqlNames(model.tables.values(), model.functions.values());
  const { data } = await ask('{ __schema { types { name kind } } }');
  const types: readonly NamedType[] = data.__schema.types;
  // These types are safe: no table is named like a comparison type, and a scalar type gets another name on conflict.
  return types
    .filter(({ name, kind }) => kind !== 'SCALAR' && !/^__|_comparison_exp$/.test(name))
    .map(({ name }) => name)
    .filter((name) => !listed.has(name));
}
