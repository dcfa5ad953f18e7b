/** A person of the platform, as the database knows the person at this moment. */
export interface User {
  /** The id at the identity provider. */
  readonly id: string;
  readonly email: string;
  readonly organizationId: string;
  /** Whether the person administers the platform itself. */
  readonly isPlatformAdmin: boolean;
  /** Names of roles, in alphabetical order; not all of them need to be in the metadata. */
  readonly roles: readonly string[];
  /** Ids of funds. */
  readonly allowedFunds: readonly string[];
}

/** A program that holds an API key. */
export interface ApiKeyHolder {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** Under which role of the metadata it reads; absent: it reads nothing of the data API. */
  readonly role: string | undefined;
  /** The only organization that it is for; absent: all. */
  readonly organizationId: string | undefined;
}

/** A person who has signed in. */
export interface SignedInUser {
  readonly user: User;
}

/** Who administers the platform: a person, or a program. */
export type Admin =
  | { readonly kind: 'user'; readonly user: User }
  | { readonly kind: 'apiKey'; readonly key: ApiKeyHolder };

export const apiKeyScopes = ['sdk:workflow', 'sdk:kyc', 'case:read', 'admin'] as const;

/** What an API key may be used for; none implies another. */
export type ApiKeyScope = (typeof apiKeyScopes)[number];
