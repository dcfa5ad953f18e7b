import { createHmac } from 'node:crypto';
import type { KycConfig } from '../../config/kyc-config.ts';

/**
 * Returns the headers that authenticate a GET request to the provider: an HMAC of time, method and path. The provider
 * accepts the HMAC only for a short time.
 * @see https://docs.sumsub.com/reference/authentication
 * @param target path and query of the request
 * @param now the current time in seconds since 1970
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
