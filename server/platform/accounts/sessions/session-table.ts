import type pg from 'pg';

/** A session as administrators see it: nothing here opens it. */
export interface ListedSession {
  /** Begins with what its digest begins with; never the id that the cookie carries. */
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly userAgent: string;
}

/** Of the digest in hexadecimal. */
const shownLength = 12;
const digest = `pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(s.sid, 'UTF8')), 'hex')`;

/** The sessions of a person that go on, the oldest first. The owner asks. */
export async function listSessions(
  owner: pg.Client,
  userId: string,
): Promise<readonly ListedSession[]> {
  const { rows } = await owner.query<ListedSession>(
    `select pg_catalog.substr(${digest}, 1, ${shownLength}) as id, s.sess ->> 'createdAt' as "createdAt",
       s.sess ->> 'expiresAt' as "expiresAt", s.sess ->> 'userAgent' as "userAgent"
     from rowgate_auth.session s
     where s.user_id = $1 and s.expire > pg_catalog.now()
     order by s.sess ->> 'createdAt', 1`,
    [userId],
  );
  return rows;
}

/**
 * Ends sessions of a person. The owner asks.
 * @param id as listed, or its beginning; empty: all of them
 * @returns how many have ended
 */
export async function endSessions(owner: pg.Client, userId: string, id: string): Promise<number> {
  const { rowCount } = await owner.query(
    `delete from rowgate_auth.session s where s.user_id = $1 and pg_catalog.starts_with(${digest}, $2)`,
    [userId, id],
  );
  return rowCount ?? 0;
}
