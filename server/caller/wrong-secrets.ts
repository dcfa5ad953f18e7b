import type { CallerRequest } from './caller-request.ts';

/**
 * Limits how often one address may send a wrong secret (admin secret, platform token, metrics token). Called only after
 * a secret was found wrong, so a caller with the right secret behind the same address is never refused.
 */
export interface WrongSecrets {
  /**
   * Counts one wrong secret.
   * @throws Refusal 429 after too many wrong secrets, 503 when counting fails
   */
  count(request: Pick<CallerRequest, 'ip'>): Promise<void>;
}
