import { AssertionError } from 'node:assert';
import type pg from 'pg';

/** The schema of the tables of pg-boss, which makes none itself at run time. */
export const queueSchema = 'rowgate_queue';

/** Makes pg-boss's tables, or brings them up to the installed version of the library. The owner asks. */
export async function prepareQueueSchema(owner: pg.ClientBase): Promise<void> {
  const version = await versionOf(owner);
  // Loaded late: most commands need no queue.
  const library = await import('pg-boss');
  const plans =
    version === undefined
      ? library.getConstructionPlans(queueSchema)
      : migrationFrom(version, library);
  if (plans === undefined) return;
  // The plans hold transactions of their own.
  await owner.query(plans);
  await owner.query(
    `revoke all on schema ${queueSchema} from public;
     revoke all on all functions in schema ${queueSchema} from public`,
  );
}

async function versionOf(owner: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await owner.query<{ readonly made: boolean }>(
    'select pg_catalog.to_regclass($1) is not null as made',
    [`${queueSchema}.version`],
  );
  if (!rows[0]?.made) return undefined;
  const found = await owner.query<{ readonly version: number }>(
    `select version from ${queueSchema}.version`,
  );
  return found.rows[0]?.version;
}

/** Undefined where the tables are as new as the library, which knows no way on from there. */
function migrationFrom(
  version: number,
  { getMigrationPlans }: typeof import('pg-boss'),
): string | undefined {
  try {
    return getMigrationPlans(queueSchema, version);
  } catch (error) {
    if (error instanceof AssertionError) return undefined;
    throw error;
  }
}
