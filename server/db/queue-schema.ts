import { AssertionError } from 'node:assert';
import type pg from 'pg';
import type { Db, PgBoss } from 'pg-boss';

/** The schema of the tables of pg-boss, which makes none itself at run time. */
export const queueSchema = 'rowgate_queue';

/** Makes pg-boss's tables, or brings them up to the installed version of the library. The owner asks. */
export async function prepareQueueSchema(owner: pg.ClientBase): Promise<void> {
  const boss = await unstartedQueue(owner);
  const library = await import('pg-boss');
  const version = (await boss.isInstalled()) ? await boss.schemaVersion() : null;
  const plans =
    version === null ? library.getConstructionPlans(queueSchema) : migrationFrom(version, library);
  if (plans === undefined) return;
  // The plans hold transactions of their own.
  await owner.query(plans);
  await owner.query(
    `revoke all on schema ${queueSchema} from public;
     revoke all on all functions in schema ${queueSchema} from public`,
  );
}

/** The library beside a connection of ours, to ask about its tables; it starts nothing. */
export async function unstartedQueue(
  database: Pick<pg.ClientBase | pg.Pool, 'query'>,
): Promise<PgBoss> {
  // Loaded late: most commands need no queue.
  const { PgBoss } = await import('pg-boss');
  return new PgBoss({ db: runningOn(database), schema: queueSchema });
}

/** Lets the library use a connection of ours, and its transaction. */
export function runningOn(database: Pick<pg.ClientBase | pg.Pool, 'query'>): Db {
  return { executeSql: (text, values) => database.query(text, values as unknown[]) };
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
