/** Why a token does not count; for the log, and for nobody else but in the words of `tokenRefusals`. */
export type TokenReason =
  | 'too-long'
  | 'malformed'
  | 'algorithm'
  | 'forbidden-header'
  | 'unknown-key'
  | 'signature'
  | 'type'
  | 'issuer'
  | 'audience'
  | 'no-subject'
  | 'times'
  | 'expired'
  | 'not-yet-valid'
  | 'no-provider'
  | 'provider-unreachable';

/** A token that does not count. The message holds nothing of it. */
export class TokenError extends Error {
  readonly reason: TokenReason;

  constructor(reason: TokenReason, cause?: unknown) {
    super(`the token does not count: ${reason}`, { cause });
    this.name = 'TokenError';
    this.reason = reason;
  }
}
