import type pg from 'pg';
import {
  type Prepared,
  type PrepareOptions,
  pinSettings,
  prepare,
} from '../../../permissions/plan/prepare.ts';
import type { Installation } from '../support/installation.ts';

/**
 * Runs work on an installation after the given statements. As in a command, the transaction has a pinned search_path.
 * The transaction is rolled back at the end.
 */
export async function withPrepared<T>(
  client: pg.ClientBase,
  {
    metadata,
    prefix,
    applicationSchemas,
  }: Pick<Installation, 'metadata' | 'prefix'> & Pick<PrepareOptions, 'applicationSchemas'>,
  work: (prepared: Prepared) => Promise<T>,
  after = 'select 1',
): Promise<T> {
  await client.query('begin');
  try {
    await client.query(after);
    await client.query(pinSettings);
    const prepared = await prepare(client, {
      metadata,
      rolePrefix: prefix,
      headerPrefix: 'X-Gql-',
      applicationSchemas,
    });
    return await work(prepared);
  } finally {
    await client.query('rollback');
  }
}
