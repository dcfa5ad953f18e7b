import type pg from 'pg';

/** A recorded statement, as one text: table, sorted keys, and rows for streams as `key` or `key:moved columns`. */
export async function takeRecorded(owner: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await owner.query<{
    table: string;
    keys: string[] | null;
    rows: [string[], string[] | null][] | null;
  }>(
    `with taken as (delete from rowgate.live_change returning ctid, *)
     select table_key as table, keys, rows from taken order by ctid`,
  );
  return rows.map(({ table, keys, rows: streamed }) => {
    const moved = streamed?.map(([key, columns]) => [key.join('/'), ...(columns ?? [])].join(':'));
    return [table, keys?.toSorted().join(' ') ?? 'any', moved?.toSorted().join(' ') ?? 'too many']
      .join(' | ')
      .trimEnd();
  });
}

/** Runs SQL and returns the statements that it records. */
export async function recordedBy(owner: pg.ClientBase, sql: string): Promise<readonly string[]> {
  await takeRecorded(owner);
  await owner.query(sql);
  return takeRecorded(owner);
}
