/** A token whose signature, issuer, audience, type and times were verified. */
export interface VerifiedToken {
  /** The id of the person at the identity provider. */
  readonly subject: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /**
   * The SHA-256 of the signed part, by which a revoked token is recognised. It excludes the signature: an
   * elliptic-curve signature has several valid forms, so a digest with the signature would not match the token with
   * another form.
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
