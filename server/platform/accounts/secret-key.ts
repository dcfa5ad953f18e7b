import { resolveSecret, type Secret } from '../../db/server-secrets.ts';
import type { PlatformConfig } from '../config/platform-config.ts';

/**
 * Finds the secret key, which signs cookies and encrypts signing keys. With the embedded database it is generated and
 * stored in a file.
 * @throws ProcessError RG_CONFIG when it is missing
 */
export function resolveSecretKey(
  config: Pick<PlatformConfig, 'database' | 'dataDir' | 'identity'>,
): Promise<Secret> {
  return resolveSecret(config, 'ROWGATE_SECRET_KEY', config.identity.secretKey, 'secret-key');
}
