import { resolveSecret, type Secret } from '../../db/server-secrets.ts';
import type { PlatformConfig } from '../config/platform-config.ts';

/** The key of cookies and signing keys, found and refused as the admin secret is. */
export function resolveSecretKey(
  config: Pick<PlatformConfig, 'database' | 'dataDir' | 'identity'>,
): Promise<Secret> {
  return resolveSecret(config, 'ROWGATE_SECRET_KEY', config.identity.secretKey, 'secret-key');
}
