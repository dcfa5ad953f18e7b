import type pg from 'pg';
import type { ServerContext } from '../../command-context.ts';
import { connect } from '../../db/connection.ts';
import { ProcessError } from '../../errors.ts';

/**
 * Gives work a connection as the owner or, where only the sidecar's login is known, as that, and ends it.
 * @throws ProcessError RG_NOT_PREPARED where the database has no outbox
 */
export async function withOutbox<T>(
  context: ServerContext,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectOutbox(context);
  try {
    // Other styles of a database are not read as times.
    await client.query(`set datestyle = 'ISO'`);
    const { rows } = await client.query<{ readonly there: boolean }>(
      `select pg_catalog.to_regclass('rowgate_events.attempt') is not null as there`,
    );
    if (rows[0]?.there) return await work(client);
    throw new ProcessError('RG_NOT_PREPARED', 'the tables of events are missing', {
      hint: 'run `rowgate migrate` first',
    });
  } finally {
    await client.end();
  }
}

async function connectOutbox(context: ServerContext): Promise<pg.Client> {
  const { config, hasOwnerUrl } = context;
  if (config.database.kind === 'embedded' || hasOwnerUrl) return context.connectOwner();
  return connect((await context.sidecarLogin()).url);
}
