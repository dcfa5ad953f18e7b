import type pg from 'pg';
import { MetadataError, sqlState } from '../errors.ts';
import { shown } from '../text/characters.ts';

const application = 'rowgate apply';

/**
 * Refuses to run beside another apply of the same database.
 * @throws MetadataError RG_APPLYING, which names the session of the other apply
 */
export async function beOnlyApply(client: pg.ClientBase, actor: string | undefined): Promise<void> {
  const name = actor === undefined ? application : `${application} by ${actor}`;
  await client.query("select pg_catalog.set_config('application_name', $1, true)", [
    name.slice(0, 63),
  ]);
  await client.query('savepoint rowgate_only_apply');
  try {
    // Only the owner can take this lock. Any login could take an advisory lock, and so block each apply.
    await client.query('lock table rowgate.apply_history in exclusive mode nowait');
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error;
    await client.query('rollback to savepoint rowgate_only_apply');
    const [holder] = await holders(client);
    // Without another apply, e.g. a vacuum holds a lock, and applyMetadata tries again.
    throw holder === undefined ? error : applying(holder);
  }
}

function applying(holder: string): MetadataError {
  return new MetadataError([
    {
      code: 'RG_APPLYING',
      severity: 'error',
      message: `another apply is running: ${holder}; nothing was changed`,
      hint: 'run apply again when it has ended',
    },
  ]);
}

async function holders(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ pid: number; login: string; application: string }>(
    `select a.pid, a.usename as login, a.application_name as application
     from pg_catalog.pg_locks l join pg_catalog.pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'relation' and l.granted and l.mode = 'ExclusiveLock'
       and l.relation = 'rowgate.apply_history'::pg_catalog.regclass
       and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = pg_catalog.current_database())`,
  );
  return rows.map(({ pid, login, application }) =>
    shown(`${application} as login ${login}, pid ${pid}`),
  );
}
