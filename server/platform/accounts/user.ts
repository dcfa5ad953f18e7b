/** A person of the platform, as currently stored in the database. */
export interface User {
  /** The id at the identity provider. */
  readonly id: string;
  readonly email: string;
  readonly organizationId: string;
  /** Whether the person administers the platform itself. */
  readonly isPlatformAdmin: boolean;
  /**
   * Names of the person's roles, in alphabetical order. They come from the database. Roles that the metadata lacks have
   * no effect.
   */
  readonly roles: readonly string[];
  /** Ids of funds. */
  readonly allowedFunds: readonly string[];
}

/** A program that has authenticated with an API key. */
export interface ApiKeyCaller {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** The role in which the program reads; absent: it may not read rows. */
  readonly role: string | undefined;
  /** The only organization that the key may access; absent: all. */
  readonly organizationId: string | undefined;
}

/** A person who has signed in. */
export interface SignedInUser {
  readonly user: User;
}

/** An administrator of the platform, who is a person or a program. */
export type Admin =
  | { readonly kind: 'user'; readonly user: User }
  | { readonly kind: 'apiKey'; readonly key: ApiKeyCaller };

export const apiKeyScopes = ['sdk:workflow', 'sdk:kyc', 'case:read', 'admin'] as const;

/** A permitted use of an API key. No scope includes another. */
export type ApiKeyScope = (typeof apiKeyScopes)[number];
