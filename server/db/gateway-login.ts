import { createHash } from 'node:crypto';
import path from 'node:path';
import { defaultRolePrefix } from '../../permissions/index.ts';
import type { Config } from '../config.ts';
import { ProcessError } from '../errors.ts';
import { endpointOf, withConnection } from './connection.ts';
import { readOrMakeSecret } from './secret-file.ts';
import { withLogin } from './url.ts';

/** Who serves requests. */
export interface GatewayLogin {
  readonly name: string;
  /** Only where Rowgate sets it itself. */
  readonly password: string | undefined;
  readonly url: string;
}

/**
 * The configured gateway login or, where there is none, `<prefix>gateway_login` on the owner's database
 * with a password of its own, which is made on first use and kept in the data folder (0600).
 */
export async function resolveGatewayLogin(config: Config, ownerUrl: string): Promise<GatewayLogin> {
  const owner = endpointOf(ownerUrl);
  const name = `${config.rolePrefix ?? defaultRolePrefix(owner.database)}gateway_login`;
  // The embedded server's port may change; its data folder is identity enough.
  const server = config.database.kind === 'embedded' ? '' : `${owner.host}:${owner.port}`;
  const digest = createHash('sha256').update(`${server}/${name}`).digest('hex').slice(0, 16);
  const password = await readOrMakeSecret(path.join(config.dataDir, `gateway-password-${digest}`));
  return { name, password, url: withLogin(ownerUrl, name, password) };
}

/** A login whose URL is configured: its password is not Rowgate's to set. */
export function configuredGatewayLogin(url: string): GatewayLogin {
  return { name: endpointOf(url).user, password: undefined, url };
}

/**
 * Throws RG_DATABASE_UNREACHABLE where a configured login is not let in, and RG_NOT_PREPARED where
 * apply has to make Rowgate's own or give it this data folder's password.
 */
export async function refuseUnusableLogin(login: GatewayLogin): Promise<void> {
  try {
    await withConnection(login.url, async () => {});
  } catch (error) {
    if (login.password === undefined) throw error;
    throw new ProcessError('RG_NOT_PREPARED', `the login ${login.name} does not work`, {
      hint: 'run `rowgate apply` with the same ROWGATE_DATA_DIR, which keeps its password',
      cause: error,
    });
  }
}
