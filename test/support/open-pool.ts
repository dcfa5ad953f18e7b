import pg from 'pg';

/**
 * Opens a pool for a test, which ends it. Postgres may cut off a connection after its end, or while it is idle. Without
 * a listener, that error event would end the whole test process.
 */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => {});
  return pool;
}
