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

function ignore(): void {}
