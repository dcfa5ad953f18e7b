import { createHmac } from 'node:crypto';
import type { KycConfig } from '../../config/kyc-config.ts';

/**
 * Headers that prove a GET without a body to the provider: a keyed digest of time, method and path, good for a moment.
 * @see https://docs.sumsub.com/reference/authentication
 * @param target path and query, as they are sent
 * @param now seconds since 1970
 */
export function signRequest(
  target: string,
  { appToken, secretKey }: KycConfig,
  now: number,
): Readonly<Record<string, string>> {
  const time = String(Math.floor(now));
  return {
    'X-App-Token': appToken,
    'X-App-Access-Ts': time,
    'X-App-Access-Sig': createHmac('sha256', secretKey).update(`${time}GET${target}`).digest('hex'),
  };
}
