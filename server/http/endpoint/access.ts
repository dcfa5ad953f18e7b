import type { Request } from 'express';

/** How a caller can be known; the names are those of the documentation's security schemes. */
export type SecurityScheme =
  | 'session'
  | 'bearer'
  | 'identityToken'
  | 'apiKey'
  | 'adminSecret'
  | 'sdkToken'
  | 'documentToken'
  | 'platformToken'
  | 'metricsToken'
  | 'custodySignature'
  | 'cardSignature'
  | 'kycDigest';

/** Who may use an endpoint. */
export interface Access<Who> {
  /** Any one of these lets in; none: everybody. */
  readonly schemes: readonly SecurityScheme[];
  /** Tells who asks. @throws Refusal 401 where that cannot be told, 403 where it is not allowed */
  admit(request: Request): Promise<Who>;
}

/** For what everybody may ask. */
export const everybody: Access<undefined> = { schemes: [], admit: async () => undefined };
