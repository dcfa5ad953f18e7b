import type { SecurityScheme } from '../endpoint/access.ts';

/** Returns the OpenAPI object of each security scheme. @param headerPrefix prefix of the admin secret's header */
export function securitySchemes(headerPrefix: string): Readonly<Record<SecurityScheme, object>> {
  return {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'rowgate.sid',
      description:
        'The cookie that `POST /auth/token-exchange` sets. Its name is `__Host-rowgate.sid` when the base URL uses https.',
    },
    bearer: bearer('A token of the identity provider, or of `rowgate dev-token`.', 'JWT'),
    identityToken: bearer(
      'A token of the identity provider, or of `rowgate dev-token`, which is exchanged for a session.',
      'JWT',
    ),
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description:
        'An API key of a program, made by `rowgate api-key create`, with the required scope.',
    },
    adminSecret: {
      type: 'apiKey',
      in: 'header',
      name: `${headerPrefix}Admin-Secret`,
      description: 'The admin secret. Its sender selects role and session variables with headers.',
    },
    sdkToken: bearer('A token of one of the `init-token` endpoints.', 'opaque'),
    documentToken: {
      type: 'apiKey',
      in: 'query',
      name: 'token',
      description: 'A token from `POST /kyc/documents/{documentId}/token`, for that document only.',
    },
    metricsToken: bearer('The token from `ROWGATE_METRICS_TOKEN`.', 'opaque'),
    platformToken: {
      type: 'apiKey',
      in: 'header',
      name: 'x-platform-api-token',
      description: "The platform's admin secret; event triggers and schedules send it.",
    },
    custodySignature: inHeader(
      'X-Signature-SHA256',
      'HMAC-SHA256 of the unchanged body in hexadecimal digits, with the secret of the custody provider.',
    ),
    cardSignature: inHeader(
      'X-Card-Signature',
      '`t=<seconds since 1970>,v1=<signature>`: HMAC-SHA256 of the time, a full stop and the unchanged body in hexadecimal digits, with the secret of the card issuer. There may be several `v1`. The time may differ by 300 seconds.',
    ),
    kycDigest: inHeader(
      'x-payload-digest',
      'HMAC-SHA1 of the unchanged body in hexadecimal digits, with the secret of the KYC provider.',
    ),
  };
}

function inHeader(name: string, description: string): object {
  return { type: 'apiKey', in: 'header', name, description };
}

function bearer(description: string, bearerFormat: string): object {
  return { type: 'http', scheme: 'bearer', bearerFormat, description };
}
