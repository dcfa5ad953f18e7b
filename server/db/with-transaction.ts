import type pg from 'pg';

/** Commits what the work does, or nothing of it where it throws. */
export async function withTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // The pool listens to those that are not lent. One that breaks fails its next query; as an event alone it would end
  // the process.
  client.on('error', ignore);
  let failure: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that cannot even roll back is not lent again.
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
