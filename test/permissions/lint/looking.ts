import type pg from 'pg';
import { type Prepared, pinSearchPath, prepare } from '../../../permissions/apply/prepare.ts';
import type { Installation } from '../support/installation.ts';

/** Looks at what an installation is like now, as commands do: in a transaction whose search_path is pinned. */
export async function looking<T>(
  client: pg.ClientBase,
  { metadata, prefix }: Installation,
  work: (prepared: Prepared) => Promise<T>,
): Promise<T> {
  await client.query('begin isolation level repeatable read read only');
  await client.query(pinSearchPath);
  try {
    return await work(
      await prepare(client, { metadata, rolePrefix: prefix, headerPrefix: 'X-Gql-' }),
    );
  } finally {
    await client.query('rollback');
  }
}
