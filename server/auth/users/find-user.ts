import type pg from 'pg';
import type { User } from '../../user.ts';

interface Row {
  readonly id: string;
  readonly email: string;
  readonly organization_id: string;
  readonly is_platform_admin: boolean;
  readonly roles: string[];
  readonly allowed_funds: string[];
  readonly token_is_revoked: boolean;
}

/**
 * The person as of now; undefined for those who are disabled or not there, and where the token was given up.
 * @param tokenDigest of the Bearer token that the person comes with
 */
export async function findUser(
  pool: pg.Pool,
  id: string,
  tokenDigest?: Buffer,
): Promise<User | undefined> {
  const { rows } = await pool.query<Row>({
    name: 'find_user',
    text: 'select * from rowgate_auth.find_user($1, $2)',
    values: [id, tokenDigest ?? null],
  });
  const [row] = rows;
  if (!row || row.token_is_revoked) return undefined;
  return {
    id: row.id,
    email: row.email,
    organizationId: row.organization_id,
    isPlatformAdmin: row.is_platform_admin,
    roles: row.roles,
    allowedFunds: row.allowed_funds,
  };
}
