import type pg from 'pg';

/** A session as `rowgate session list` shows it. No field gives access to the session. */
export interface ListedSession {
  /**
   * The beginning of the digest of the session id. The id itself is never shown, because it gives access to the
   * session: the cookie contains the id.
   */
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly userAgent: string;
}

/** The number of shown digits of the digest. */
const shownLength = 12;
const digest = `pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(s.sid, 'UTF8')), 'hex')`;

/** A part of a list of sessions. */
interface SessionPage {
  /** The start and the shown id of the last session of the page before. */
  readonly after: readonly string[];
  readonly limit: number;
}

/**
 * Lists the current sessions of a person, the oldest first, with a connection of the owner.
 * @param page default: all sessions
 */
export async function listSessions(
  owner: pg.ClientBase,
  userId: string,
  page?: SessionPage,
): Promise<readonly ListedSession[]> {
  const [createdAt = null, id = null] = page?.after ?? [];
  const { rows } = await owner.query<ListedSession>(
    `select pg_catalog.substr(${digest}, 1, ${shownLength}) as id, s.sess ->> 'createdAt' as "createdAt",
       s.sess ->> 'expiresAt' as "expiresAt", s.sess ->> 'userAgent' as "userAgent"
     from rowgate_auth.session s
     where s.user_id = $1 and s.expire > pg_catalog.now()
       and ($2::text is null or (s.sess ->> 'createdAt', pg_catalog.substr(${digest}, 1, ${shownLength})) > ($2, $3))
     order by s.sess ->> 'createdAt', 1 limit $4`,
    [userId, createdAt, id, page?.limit ?? null],
  );
  return rows;
}

/**
 * Ends sessions of a person, with a connection of the owner.
 * @param id the listed id or its beginning; empty: all sessions
 * @returns the number of ended sessions
 */
export async function endSessions(
  owner: pg.ClientBase,
  userId: string,
  id: string,
): Promise<number> {
  const { rowCount } = await owner.query(
    `delete from rowgate_auth.session s where s.user_id = $1 and pg_catalog.starts_with(${digest}, $2)`,
    [userId, id],
  );
  return rowCount ?? 0;
}
