/** A way to authenticate a caller: an entry of `securitySchemes` in the OpenAPI document. */
export interface SecurityScheme {
  /** The unique name of the entry. */
  readonly name: string;
  /** Describes where the credential is and what it is. */
  readonly object: ApiKeyObject | BearerObject;
  /** Whether the server counts wrong credentials and refuses too many of them with 429. */
  readonly isLimited?: true;
  /** Why a caller with a valid credential may be refused with 403. */
  readonly forbidden?: string;
}

interface ApiKeyObject {
  readonly type: 'apiKey';
  readonly in: 'cookie' | 'header' | 'query';
  readonly name: string;
  readonly description: string;
}

interface BearerObject {
  readonly type: 'http';
  readonly scheme: 'bearer';
  readonly bearerFormat: 'JWT' | 'opaque';
  readonly description: string;
}

/** Describes a token in the header Authorization. */
export function bearer(
  description: string,
  bearerFormat: BearerObject['bearerFormat'],
): BearerObject {
  return { type: 'http', scheme: 'bearer', bearerFormat, description };
}

/** Describes a credential in a header. */
export function inHeader(name: string, description: string): ApiKeyObject {
  return { type: 'apiKey', in: 'header', name, description };
}

/** Describes a credential in a cookie. The browser sends it with requests of other sites' pages too. */
export function inCookie(name: string, description: string): ApiKeyObject {
  return { type: 'apiKey', in: 'cookie', name, description };
}

/** Describes a credential in the query of the URL. */
export function inQuery(name: string, description: string): ApiKeyObject {
  return { type: 'apiKey', in: 'query', name, description };
}

/** Whether the credential is a cookie. */
export function isCookie({ object }: SecurityScheme): boolean {
  return object.type === 'apiKey' && object.in === 'cookie';
}
