import type pg from 'pg';
import type { ServerContext } from '../../cli/command-context.ts';
import { refuseWithout } from '../../cli/with-owner-pool.ts';
import { connect } from '../../db/connection.ts';

/**
 * Runs work with a connection of the owner, or of the sidecar login when the owner's URL is unknown.
 * @throws ProcessError RG_NOT_PREPARED when the database has no outbox
 */
export async function withOutbox<T>(
  context: ServerContext,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectOutbox(context);
  try {
    // pg parses times in the ISO date style only.
    await client.query(`set datestyle = 'ISO'`);
    await refuseWithout(client, { relation: 'rowgate_events.paused_trigger', subject: 'events' });
    return await work(client);
  } finally {
    await client.end();
  }
}

async function connectOutbox(context: ServerContext): Promise<pg.Client> {
  const { config, hasOwnerUrl } = context;
  if (config.database.kind === 'embedded' || hasOwnerUrl) return context.connectOwner();
  return connect((await context.sidecarLogin()).url);
}
