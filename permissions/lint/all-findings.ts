import type pg from 'pg';
import type { Diagnostic } from '../diagnostics.ts';
import type { LoadedModel } from '../model/load-model.ts';
import type { Seen } from '../plan/prepare.ts';
import { markAccepted } from './accepted-findings.ts';
import { databaseFindings } from './database-findings.ts';
import { metadataFindings } from './metadata-findings.ts';
import { tableFindings } from './table-findings.ts';

/**
 * Returns the findings that need no database: the warnings of loading the metadata, and those of lints that read only
 * the metadata.
 */
export function offlineFindings(loaded: LoadedModel): readonly Diagnostic[] {
  return markAccepted([...loaded.warnings, ...metadataFindings(loaded)], loaded.accepted);
}

/**
 * Returns all findings: the warnings of loading, and the findings of the lints of the metadata, of the database and of
 * its tables.
 * @param known findings about the database, if the caller has already searched for them
 */
export async function allFindings(
  client: pg.ClientBase,
  seen: Seen,
  known?: readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  const { loaded } = seen;
  const database = known ?? (await databaseFindings(client, seen));
  const tables = await tableFindings(client, seen);
  const ofDatabase = markAccepted([...database, ...tables], loaded.accepted);
  return [...offlineFindings(loaded), ...ofDatabase];
}
