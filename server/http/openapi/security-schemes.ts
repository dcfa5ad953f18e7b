import type { SecurityScheme } from '../endpoint/access.ts';

/** Returns the OpenAPI object of each security scheme. @param headerPrefix prefix of the admin secret's header */
export function securitySchemes(headerPrefix: string): Readonly<Record<SecurityScheme, object>> {
  return {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'rowgate.sid',
      description:
        'The cookie that `POST /auth/token-exchange` sets; `__Host-rowgate.sid` where it goes over https alone.',
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
        'A key of a program, made by `rowgate api-key create`, with the scope that is asked for.',
    },
    adminSecret: {
      type: 'apiKey',
      in: 'header',
      name: `${headerPrefix}Admin-Secret`,
      description:
        'The admin secret. Whoever has it says by headers in which role and with which variables to act.',
    },
    sdkToken: bearer('A token of one of the `init-token` endpoints.', 'opaque'),
    documentToken: {
      type: 'apiKey',
      in: 'query',
      name: 'token',
      description: 'A token of `POST /kyc/documents/{documentId}/token`, for that document alone.',
    },
    metricsToken: bearer('What `ROWGATE_METRICS_TOKEN` says.', 'opaque'),
    platformToken: {
      type: 'apiKey',
      in: 'header',
      name: 'x-platform-api-token',
      description: "The platform's admin secret; event triggers and schedules send it.",
    },
    custodySignature: inHeader(
      'X-Signature-SHA256',
      'HMAC-SHA256 of the body as it is sent, in hexadecimal digits, by the secret that the custody provider has.',
    ),
    cardSignature: inHeader(
      'X-Card-Signature',
      '`t=<seconds since 1970>,v1=<signature>`: HMAC-SHA256 of the time, a full stop and the body as it is sent, in hexadecimal digits, by the secret that the card issuer has. Several `v1` may stand there; the time may be off by 300 seconds.',
    ),
    kycDigest: inHeader(
      'x-payload-digest',
      'HMAC-SHA1 of the body as it is sent, in hexadecimal digits, by the secret that the KYC provider has.',
    ),
  };
}

function inHeader(name: string, description: string): object {
  return { type: 'apiKey', in: 'header', name, description };
}

function bearer(description: string, bearerFormat: string): object {
  return { type: 'http', scheme: 'bearer', bearerFormat, description };
}
