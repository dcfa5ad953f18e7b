/** A token whose signature, issuer, audience, type and times are right. */
export interface VerifiedToken {
  /** Who it is about: the id at the identity provider. */
  readonly subject: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /**
   * SHA-256 of what was signed: by this it is revoked. Not of the signature, for whoever holds one of an elliptic curve
   * can write it in another way that is as good.
   */
  readonly digest: Buffer;
  readonly email: string | undefined;
  /** Whether the provider has seen that the address is the person's. */
  readonly emailIsVerified: boolean;
  readonly name: string | undefined;
}

/** Decides about tokens that somebody brings. */
export interface TokenVerifier {
  /** @throws TokenError */
  verify(token: string): Promise<VerifiedToken>;
}
