import { createHash } from 'node:crypto';
import path from 'node:path';
import { defaultRolePrefix } from '../../../permissions/index.ts';
import type { Config } from '../../config/config.ts';
import { ProcessError } from '../../errors.ts';
import { endpointOf, withConnection } from '../connection.ts';
import { withLogin } from '../url.ts';
import { readOrMakeSecret } from './secret-file.ts';

/** A login of the server's own. */
export interface ServerLogin {
  readonly name: string;
  /** Only where Rowgate sets it itself. */
  readonly password: string | undefined;
  readonly url: string;
}

/** Who serves the data API, and who keeps sessions and keys. */
export type LoginKind = 'gateway' | 'sidecar';

/**
 * `<prefix>gateway_login` or `<prefix>sidecar_login` on the owner's database, with a password of its own, which is
 * made on first use and kept in the data folder (0600).
 */
export async function resolveLogin(
  config: Config,
  ownerUrl: string,
  kind: LoginKind,
): Promise<ServerLogin> {
  const owner = endpointOf(ownerUrl);
  const name = `${config.rolePrefix ?? defaultRolePrefix(owner.database)}${kind}_login`;
  // The embedded server's port may change; its data folder is identity enough.
  const server = config.database.kind === 'embedded' ? '' : `${owner.host}:${owner.port}`;
  const digest = createHash('sha256').update(`${server}/${name}`).digest('hex').slice(0, 16);
  const password = await readOrMakeSecret(path.join(config.dataDir, `${kind}-password-${digest}`));
  return { name, password, url: withLogin(ownerUrl, name, password) };
}

/** A login whose URL is configured: its password is not Rowgate's to set. */
export function configuredLogin(url: string): ServerLogin {
  return { name: endpointOf(url).user, password: undefined, url };
}

/**
 * Throws RG_DATABASE_UNREACHABLE where a configured login is not let in, and RG_NOT_PREPARED where
 * a command (`apply` or `migrate`) has to make Rowgate's own or give it this data folder's password.
 */
export async function refuseUnusableLogin(
  login: ServerLogin,
  command: 'apply' | 'migrate',
): Promise<void> {
  try {
    await withConnection(login.url, async () => {});
  } catch (error) {
    if (login.password === undefined) throw error;
    throw new ProcessError('RG_NOT_PREPARED', `the login ${login.name} does not work`, {
      hint: `run \`rowgate ${command}\` with the same ROWGATE_DATA_DIR, which keeps its password`,
      cause: error,
    });
  }
}
