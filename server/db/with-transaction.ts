import type pg from 'pg';

/** Runs work in a transaction, which is rolled back when the work throws. */
export async function withTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // The pool handles error events of idle connections only. When this connection breaks, its query fails, and an
  // additional error event without a listener would end the process.
  client.on('error', ignore);
  let failure: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // The pool closes a connection that cannot roll back.
    failure = await client.query('rollback').then(
      () => undefined,
      (broken: Error) => broken,
    );
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(failure);
  }
}

/** Runs work in a transaction of a connection, which is rolled back when the work throws. */
export async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // Fails only when the connection is lost, and then Postgres rolls back too.
    await client.query('rollback').catch(ignore);
    throw error;
  }
}

function ignore(): void {}
