import pg from 'pg';

/** Runs statements on a new connection. Returns the rows of the last one. */
export async function query(url: string, ...statements: readonly string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
