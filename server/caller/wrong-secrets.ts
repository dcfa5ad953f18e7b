import type { Request } from 'express';

/**
 * Limits how often one address may send a wrong secret (admin secret, platform token, metrics token). It is called only
 * after a secret was found wrong, so a caller with the right secret behind the same address is never refused.
 */
export interface WrongSecrets {
  /** Counts one wrong secret. @throws Refusal 429 when there were too many, 503 when counting fails */
  count(request: Pick<Request, 'ip'>): Promise<void>;
}
