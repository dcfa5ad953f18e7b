/** A token whose signature, issuer, audience, type and times were verified. */
export interface VerifiedToken {
  /** The id of the person at the identity provider. */
  readonly subject: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /**
   * The SHA-256 of the signed part, under which the token is revoked. It excludes the signature, because an elliptic-curve
   * signature has several valid forms, and another form would evade the revocation.
   */
  readonly digest: Buffer;
  readonly email: string | undefined;
  /** Whether the provider has verified the address. */
  readonly emailIsVerified: boolean;
  readonly name: string | undefined;
}

/** Verifies Bearer tokens. */
export interface TokenVerifier {
  /** @throws TokenError */
  verify(token: string): Promise<VerifiedToken>;
}
