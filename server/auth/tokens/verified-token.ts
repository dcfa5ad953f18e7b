/** A token whose signature, issuer, audience, type and times are right. */
export interface VerifiedToken {
  /** Who it is about: the id at the identity provider. */
  readonly subject: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** SHA-256 of the token as it was sent: by this it is revoked. */
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
