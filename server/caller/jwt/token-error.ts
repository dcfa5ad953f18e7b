/** The reason why a token is refused, for the log. Each endpoint decides how much of it a client learns. */
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
  | 'issued-later'
  | 'no-provider'
  | 'provider-unreachable';

/** A token is refused. The message contains no part of the token. */
export class TokenError extends Error {
  readonly reason: TokenReason;

  constructor(reason: TokenReason, cause?: unknown) {
    super(`the token was refused: ${reason}`, { cause });
    this.name = 'TokenError';
    this.reason = reason;
  }
}
