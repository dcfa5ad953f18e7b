import type { SessionData } from 'express-session';
import type pg from 'pg';
import type { User } from '../user.ts';

interface Row {
  readonly id: string;
  readonly email: string;
  readonly organization_id: string;
  readonly is_platform_admin: boolean;
  readonly roles: string[];
  readonly allowed_funds: string[];
  readonly token_is_revoked: boolean;
}

// By name: a newer function may tell more while this process still runs.
const columns = `u.id, u.email, u.organization_id, u.is_platform_admin, u.roles, u.allowed_funds,
  u.token_is_revoked`;

/** A person, and whether the token that stands for the person was given up. */
export interface TokenHolder {
  readonly user: User;
  readonly tokenIsRevoked: boolean;
}

/** The person as of now; undefined for those who are disabled or not there. */
export async function findUser(pool: pg.Pool, id: string): Promise<User | undefined> {
  return (await findHolder(pool, id, undefined))?.user;
}

/**
 * As `findUser`, and what became of a token in the same round trip.
 * @param begunAt when the session or the token began that stands for the person: one of before the person was deleted
 *   stands for nobody, whoever has the id now
 * @param tokenDigest of the Bearer token that the person comes with
 */
export async function findHolder(
  pool: pg.Pool,
  id: string,
  begunAt: Date | undefined,
  tokenDigest?: Buffer,
): Promise<TokenHolder | undefined> {
  const { rows } = await pool.query<Row>({
    name: 'find_user',
    text: `select ${columns} from rowgate_auth.find_user($1, $2, $3) u`,
    values: [id, begunAt ?? null, tokenDigest ?? null],
  });
  const [row] = rows;
  return row && { user: userOf(row), tokenIsRevoked: row.token_is_revoked };
}

/** What is stored of a session, and its person as `findUser` finds the person. */
export interface FoundSession {
  readonly data: SessionData;
  readonly user: User | undefined;
}

/** A session that goes on; its person in the same round trip. */
export async function findSession(pool: pg.Pool, id: string): Promise<FoundSession | undefined> {
  const { rows } = await pool.query<{ readonly sess: SessionData } & (Row | { id: null })>({
    name: 'find_session',
    text: `select s.sess, ${columns} from rowgate_auth.session s
      left join lateral rowgate_auth.find_user(s.user_id, (s.sess ->> 'createdAt')::timestamptz) u on true
      where s.sid = $1 and s.expire > pg_catalog.now()`,
    values: [id],
  });
  const [row] = rows;
  return row && { data: row.sess, user: row.id === null ? undefined : userOf(row) };
}

function userOf(row: Row): User {
  return {
    id: row.id,
    email: row.email,
    organizationId: row.organization_id,
    isPlatformAdmin: row.is_platform_admin,
    roles: row.roles,
    allowedFunds: row.allowed_funds,
  };
}
