import { AssertionError } from 'node:assert';
import type pg from 'pg';
import type { Db, PgBoss } from 'pg-boss';

/** The schema of pg-boss's tables. pg-boss does not create it at run time. */
export const queueSchema = 'rowgate_queue';

/** Identifies the lock of Postgres that a process holds while it creates or migrates pg-boss's tables. */
const preparationLock = 7_406_412;

/**
 * Creates pg-boss's tables or migrates them to the installed version. Needs the owner's connection. Other processes that
 * do the same wait meanwhile.
 */
export async function prepareQueueSchema(owner: pg.ClientBase): Promise<void> {
  // The lock belongs to the session, because pg-boss's SQL text contains its own begin and commit.
  await owner.query('select pg_catalog.pg_advisory_lock($1)', [preparationLock]);
  try {
    await prepare(owner);
  } finally {
    // Fails only when the connection is lost, and then Postgres releases the lock too.
    await owner
      .query('select pg_catalog.pg_advisory_unlock($1)', [preparationLock])
      .catch(() => {});
  }
}

async function prepare(owner: pg.ClientBase): Promise<void> {
  const boss = await unstartedQueue(owner);
  const library = await import('pg-boss');
  const version = (await boss.isInstalled()) ? await boss.schemaVersion() : null;
  const plans =
    version === null ? library.getConstructionPlans(queueSchema) : migrationFrom(version, library);
  if (plans === undefined) return;
  await owner.query(plans);
  await owner.query(
    `revoke all on schema ${queueSchema} from public;
     revoke all on all functions in schema ${queueSchema} from public`,
  );
}

/** Makes a pg-boss object on an existing connection, to read its tables. The object is not started. */
export async function unstartedQueue(
  database: Pick<pg.ClientBase | pg.Pool, 'query'>,
): Promise<PgBoss> {
  // Loaded on demand, because most commands need no queue.
  const { PgBoss } = await import('pg-boss');
  return new PgBoss({ db: runningOn(database), schema: queueSchema });
}

/** Lets pg-boss use an existing connection and its transaction. */
export function runningOn(database: Pick<pg.ClientBase | pg.Pool, 'query'>): Db {
  return { executeSql: (text, values) => database.query(text, values as unknown[]) };
}

/** Returns undefined when the tables are current, because pg-boss then has no migration. */
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
