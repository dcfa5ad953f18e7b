import { createHash } from 'node:crypto';
import path from 'node:path';
import { defaultRolePrefix } from '../../../permissions/index.ts';
import type { Config } from '../../config/config.ts';
import { errorCode, ProcessError } from '../../errors.ts';
import { endpointOf, withConnection } from '../connection.ts';
import { withLogin } from '../url.ts';
import { readOrMakeSecret } from './secret-file.ts';

/** A Postgres login that the server uses. */
export interface ServerLogin {
  readonly name: string;
  /** Present when Rowgate sets the password itself. */
  readonly password: string | undefined;
  readonly url: string;
}

/**
 * The two logins of the server. The gateway login serves the data API: it switches to the role of each caller. The
 * sidecar login serves everything else, such as events, mails and sessions. The sidecar login never reads tables of the
 * data API.
 */
export type LoginKind = 'gateway' | 'sidecar';

/**
 * Returns `<prefix>gateway_login` or `<prefix>sidecar_login` for the owner's database. Its password is created at first
 * use and stored in the data folder with mode 0600.
 */
export async function resolveLogin(
  config: Config,
  ownerUrl: string,
  kind: LoginKind,
): Promise<ServerLogin> {
  const owner = endpointOf(ownerUrl);
  const name = `${config.rolePrefix ?? defaultRolePrefix(owner.database)}${kind}_login`;
  // The name of the password file contains the server's address. The embedded server needs no address: its port may
  // change, and its data folder already identifies it.
  const server = config.database.kind === 'embedded' ? '' : `${owner.host}:${owner.port}`;
  const digest = createHash('sha256').update(`${server}/${name}`).digest('hex').slice(0, 16);
  const password = await readOrMakeSecret(path.join(config.dataDir, `${kind}-password-${digest}`));
  return { name, password, url: withLogin(ownerUrl, name, password) };
}

/** Returns the login of a configured URL, whose password Rowgate does not set. */
export function configuredLogin(url: string): ServerLogin {
  return { name: endpointOf(url).user, password: undefined, url };
}

/**
 * Checks that a login can connect. Throws RG_DATABASE_UNREACHABLE when a configured login cannot connect, and
 * RG_NOT_PREPARED when `apply` or `migrate` must first create the login or set the password from this data folder.
 */
export async function refuseUnusableLogin(
  login: ServerLogin,
  command: 'apply' | 'migrate',
): Promise<void> {
  try {
    await withConnection(login.url, async () => {});
  } catch (error) {
    // Without the CONNECT privilege the password may well be right. The message names the grant.
    const isRefused = error instanceof Error && errorCode(error.cause) === '42501';
    if (login.password === undefined || isRefused) throw error;
    throw new ProcessError('RG_NOT_PREPARED', `the login ${login.name} does not work`, {
      hint: `run \`rowgate ${command}\` with the same ROWGATE_DATA_DIR, which keeps its password`,
      cause: error,
    });
  }
}
