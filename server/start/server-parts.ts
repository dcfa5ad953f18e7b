import type { CommandContext } from '../../permissions/index.ts';
import { actionSource } from '../actions/action-source.ts';
import type { Config } from '../config/config.ts';
import { withConnection } from '../db/connection.ts';
import { type DatabaseAccess, embeddedReason, openDatabase } from '../db/open-database.ts';
import { migrateEverything } from '../db/preparation.ts';
import type { CommandParts, OpenOptions } from './make-command-context.ts';

/** The parts of the program `rowgate`, which has GraphQL and an embedded database. */
export const serverParts: CommandParts = {
  open: openWithTables,
  findUnrunnableWith,
  openGraphqlWith,
};

/** Opens the database. Migrates an embedded one, so that its tables exist whichever command runs first. */
async function openWithTables({
  config,
  application,
  logger,
  announce,
}: OpenOptions): Promise<DatabaseAccess> {
  const reason = embeddedReason(config);
  if (reason !== undefined) announce(reason);
  const database = await openDatabase(config, logger);
  if (!database.embedded) return database;
  try {
    await withConnection(database.ownerUrl(), (owner) => migrateEverything(owner, application));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function findUnrunnableWith(
  { limits }: Config,
  ownerUrl: () => Promise<string>,
): NonNullable<CommandContext['findUnrunnable']> {
  return async (model) => {
    // Imported on demand, because this module loads all of PostGraphile.
    const { findUnrunnable } = await import('../graphql/find-unrunnable-documents.ts');
    const { findExtensionsOf } = await import('../postgraphile/prepare-dialect.ts');
    const url = await ownerUrl();
    const sources = [actionSource()];
    const found = await findUnrunnable(model, url, limits, findExtensionsOf(sources));
    const { graphile } = model;
    if (!graphile) return found;
    const { withoutRunnable } = await import('../postgraphile/without-runnable.ts');
    return withoutRunnable(found, { ...model, graphile }, url, limits, sources);
  };
}

function openGraphqlWith(
  config: Config,
  ownerUrl: () => Promise<string>,
): NonNullable<CommandContext['openGraphql']> {
  return async (client, model) => {
    // Imported on demand, because this module loads all of PostGraphile.
    const { openInTransaction } = await import('../graphql/open-in-transaction.ts');
    return openInTransaction(config, ownerUrl)(client, model);
  };
}
