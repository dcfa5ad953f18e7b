import path from 'node:path';
import { applyMetadata } from '../../permissions/index.ts';
import type { Config } from '../../server/config/config.ts';
import { withConnection } from '../../server/db/connection.ts';
import { resolveLogin } from '../../server/db/logins/logins.ts';
import { prepareSidecarLogin } from '../../server/db/logins/sidecar-login.ts';
import { platformGrants } from '../../server/platform/grants.ts';

/** The metadata folder of the platform. */
export const platformMetadata = path.resolve(import.meta.dirname, '../../metadata');

/** Applies a metadata folder as the owner, as `rowgate apply` does. */
export async function applyFolder(
  config: Config,
  ownerUrl: string,
  metadata: string,
): Promise<void> {
  const { name, password } = await resolveLogin(config, ownerUrl, 'gateway');
  const { rolePrefix, headerPrefix } = config;
  const options = { metadata, rolePrefix, headerPrefix, login: name, password };
  await withConnection(ownerUrl, (owner) => applyMetadata(owner, options));
}

/** Creates the login of the sidecar and grants its privileges, as `rowgate migrate` does. */
export async function prepareSidecar(config: Config, ownerUrl: string): Promise<void> {
  const login = await resolveLogin(config, ownerUrl, 'sidecar');
  await withConnection(ownerUrl, (owner) => prepareSidecarLogin(owner, login, platformGrants));
}
