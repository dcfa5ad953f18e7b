import type pg from 'pg';
import { MetadataError } from '../errors.ts';
import { shown } from '../text/characters.ts';

/** The advisory lock that a running apply holds until its transaction ends: the letters "rowg", and 1. */
const lock = { space: 0x72_6f_77_67, key: 1 };

const application = 'rowgate apply';

/**
 * Refuses to run beside another apply of the same database.
 * @throws MetadataError RG_APPLYING, which names the session of the other apply
 */
export async function beOnlyApply(client: pg.ClientBase, actor: string | undefined): Promise<void> {
  const name = actor === undefined ? application : `${application} by ${actor}`;
  const { rows } = await client.query<{ free: boolean }>(
    `select pg_catalog.pg_try_advisory_xact_lock(${lock.space}, ${lock.key}) as free,
       pg_catalog.set_config('application_name', $1, true)`,
    [name.slice(0, 63)],
  );
  if (rows[0]?.free) return;
  const [holder] = await holders(client);
  throw new MetadataError([
    {
      code: 'RG_APPLYING',
      severity: 'error',
      message: `another apply is running${holder === undefined ? '' : `: ${holder}`}; nothing was changed`,
      hint: 'run apply again when it has ended',
    },
  ]);
}

async function holders(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ pid: number; login: string; application: string }>(
    `select a.pid, a.usename as login, a.application_name as application
     from pg_catalog.pg_locks l join pg_catalog.pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.classid = ${lock.space} and l.objid = ${lock.key}
       and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = pg_catalog.current_database())`,
  );
  return rows.map(({ pid, login, application }) =>
    shown(`${application} as login ${login}, pid ${pid}`),
  );
}
