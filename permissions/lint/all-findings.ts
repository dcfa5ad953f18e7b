import type pg from 'pg';
import type { Diagnostic } from '../diagnostics.ts';
import type { LoadedModel } from '../model/load-model.ts';
import type { Seen } from '../plan/prepare.ts';
import { databaseFindings } from './database-findings.ts';
import { metadataFindings } from './metadata-findings.ts';
import { tableFindings } from './table-findings.ts';

/** What can be told without a database: what loading warned of and what the metadata deserves to be told of. */
export function offlineFindings(loaded: LoadedModel): readonly Diagnostic[] {
  return [...loaded.warnings, ...metadataFindings(loaded)];
}

/**
 * What loading warned of, what the metadata, the database and its tables deserve to be told of.
 * @param known what of the database is known already, where it is still as it was then
 */
export async function allFindings(
  client: pg.ClientBase,
  seen: Seen,
  known?: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  const { loaded } = seen;
  const database = known ?? (await databaseFindings(client, seen));
  const tables = await tableFindings(client, seen);
  return [...offlineFindings(loaded), ...database, ...tables];
}
