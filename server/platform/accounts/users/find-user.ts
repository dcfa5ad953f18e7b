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

// The columns are listed by name: a newer migration may add columns to the function's result while this process runs.
const columns = `u.id, u.email, u.organization_id, u.is_platform_admin, u.roles, u.allowed_funds,
  u.token_is_revoked`;

/** A person, and whether the token of the request was revoked. */
export interface FoundUser {
  readonly user: User;
  readonly tokenIsRevoked: boolean;
}

/** Finds a person; undefined for unknown and disabled people. */
export async function findUser(pool: pg.Pool, id: string): Promise<User | undefined> {
  return (await findUserWithToken(pool, id, undefined))?.user;
}

/**
 * Finds a person like `findUser`, and in the same round trip whether a token was revoked.
 * @param begunAt the start of the person's session or token; when it is before the deletion of an earlier person with
 * the same id, nothing is found
 * @param tokenDigest the digest of the Bearer token
 */
export async function findUserWithToken(
  pool: pg.Pool,
  id: string,
  begunAt: Date | undefined,
  tokenDigest?: Buffer,
): Promise<FoundUser | undefined> {
  const { rows } = await pool.query<Row>({
    name: 'find_user',
    text: `select ${columns} from rowgate_auth.find_user($1, $2, $3) u`,
    values: [id, begunAt ?? null, tokenDigest ?? null],
  });
  const [row] = rows;
  return row && { user: userOf(row), tokenIsRevoked: row.token_is_revoked };
}

const maxFound = 20;

/**
 * Finds people by a part of their id, name or e-mail address, in any letter case. Leaves out disabled people.
 * @param owner a connection of the owner
 */
export async function searchUsers(owner: pg.ClientBase, text: string): Promise<readonly User[]> {
  const { rows } = await owner.query<Row>(
    `select ${columns} from public."user" p cross join lateral rowgate_auth.find_user(p.id, null, null) u
      where pg_catalog.strpos(pg_catalog.lower(pg_catalog.concat_ws(' ', p.id, p.full_name, p.email)), pg_catalog.lower($1)) > 0
      order by p.email, p.id limit ${maxFound}`,
    [text],
  );
  return rows.map(userOf);
}

/** A stored session, and its person unless the person is unknown or disabled. */
export interface FoundSession {
  readonly data: SessionData;
  readonly user: User | undefined;
}

/** Finds a current session, and its person in the same round trip. */
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
