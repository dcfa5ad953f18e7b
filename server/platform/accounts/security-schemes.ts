import {
  bearer,
  inCookie,
  inHeader,
  type SecurityScheme,
} from '../../http/endpoint/security-scheme.ts';

export const sessionScheme: SecurityScheme = {
  name: 'session',
  object: inCookie(
    'rowgate.sid',
    'The cookie that `POST /auth/token-exchange` sets. Its name is `__Host-rowgate.sid` when the base URL uses https.',
  ),
};

export const bearerScheme: SecurityScheme = {
  name: 'bearer',
  object: bearer('A token of the identity provider, or of `rowgate dev-token`.', 'JWT'),
};

export const identityTokenScheme: SecurityScheme = {
  name: 'identityToken',
  object: bearer(
    'A token of the identity provider, or of `rowgate dev-token`, which is exchanged for a session.',
    'JWT',
  ),
};

export const apiKeyScheme: SecurityScheme = {
  name: 'apiKey',
  object: inHeader(
    'X-API-Key',
    'An API key of a program, made by `rowgate api-key create`, with the required scope.',
  ),
  isLimited: true,
  forbidden: 'the key lacks the scope',
};

export const sdkTokenScheme: SecurityScheme = {
  name: 'sdkToken',
  object: bearer('A token of one of the `init-token` endpoints.', 'opaque'),
};
