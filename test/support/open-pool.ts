import pg from 'pg';

/**
 * Connections of a test, which ends them. Ended ones may be cut off before they have left, and idle ones at any time: as
 * an event that nobody listens to it would end all tests of the process.
 */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => {});
  return pool;
}
