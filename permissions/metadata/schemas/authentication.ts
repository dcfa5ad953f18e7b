import { type Static, Type } from 'typebox';

const fromEnvironment = Type.Object(
  {
    from_env: Type.String({
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      title: 'the name of an environment variable',
    }),
  },
  { additionalProperties: false },
);

const setting = (description: string) =>
  Type.Union([Type.String({ minLength: 1 }), fromEnvironment], {
    title: 'text, or a map with from_env',
    description,
  });

const claimsPrefix = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9-]{0,40}-$',
  title: 'a prefix such as x-hasura-',
  description:
    'The prefix of the names of claims. Default: ROWGATE_HEADER_PREFIX, or x-hasura- where no name has that prefix.',
});

/** One issuer of tokens, or one of its keys. The members have the names of Hasura's JWT secret. */
const jwt = Type.Object(
  {
    type: Type.Optional(
      Type.Enum(
        ['HS', 'RS', 'PS', 'ES']
          .flatMap((family) => ['256', '384', '512'].map((bits) => `${family}${bits}`))
          .concat('Ed25519'),
        {
          title: 'HS256 to HS512, RS256 to RS512, PS256 to PS512, ES256 to ES512, or Ed25519',
          description: 'The type of the key. With jwk_url or discovery: the family of algorithms.',
        },
      ),
    ),
    key: Type.Optional(setting('A shared secret (HS), or a public key or certificate in PEM.')),
    jwk_url: Type.Optional(setting('The URL of the key set of the issuer.')),
    issuer: Type.Optional(setting('The exact value of iss in tokens.')),
    audience: Type.Optional(
      Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String(), { minItems: 1 })], {
        title: 'text, or a list of texts',
        description: 'The accepted audiences. The aud of a token must name one of them.',
      }),
    ),
    allowed_skew: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3600,
        title: 'a whole number from 0 to 3600',
        description: 'Tolerated seconds between the clocks of the issuer and of this server.',
      }),
    ),
    header: Type.Optional(
      Type.Object(
        {
          type: Type.Enum(['Authorization', 'Cookie', 'CustomHeader'], {
            title: 'Authorization, Cookie or CustomHeader',
          }),
          name: Type.Optional(
            Type.String({
              pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
              title: 'the name of a cookie or header',
            }),
          ),
        },
        {
          additionalProperties: false,
          title: 'a map with type and name',
          description: 'Where requests carry the token; default Authorization.',
        },
      ),
    ),
    claims_namespace: Type.Optional(
      Type.String({ title: 'text', description: 'The claim that holds roles and variables.' }),
    ),
    claims_namespace_path: Type.Optional(
      Type.String({
        title: 'a path such as $.hasura.claims',
        description: 'The path to the object that holds roles and variables.',
      }),
    ),
    claims_format: Type.Optional(
      Type.Enum(['json', 'stringified_json'], { title: 'json or stringified_json' }),
    ),
    claims_map: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union(
          [
            Type.String(),
            Type.Array(Type.String()),
            Type.Object(
              {
                path: Type.String({ title: 'a path such as $.user.id' }),
                default: Type.Optional(
                  Type.Union([Type.String(), Type.Array(Type.String())], {
                    title: 'text or a list of roles',
                    description: 'The value for tokens without the claim.',
                  }),
                ),
              },
              { additionalProperties: false },
            ),
          ],
          { title: 'text, a list of roles, or a map with path and default' },
        ),
        {
          title: 'a map of roles and session variables to claims',
          description: 'Where each role and session variable stands in the token.',
        },
      ),
    ),
    claims_prefix: Type.Optional(claimsPrefix),
  },
  { additionalProperties: false, title: "a map as in Hasura's JWT secret" },
);

/** One entry, or one for each issuer and key. */
export const jwtEntries = Type.Union([jwt, Type.Array(jwt, { minItems: 1 })], {
  title: 'a map, or a list of maps for several issuers or keys',
});

export const authenticationWebhook = Type.Object(
  {
    url: setting('The URL of the service that identifies callers.'),
    mode: Type.Optional(
      Type.Enum(['GET', 'POST'], { title: 'GET or POST', description: 'Default GET.' }),
    ),
    timeout_ms: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 60_000, title: 'a whole number from 100 to 60000' }),
    ),
    claims_prefix: Type.Optional(claimsPrefix),
    credential_headers: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }), {
        minItems: 1,
        title: 'a list of names of headers',
        description: 'Headers with credentials; default Authorization and Cookie.',
      }),
    ),
  },
  { additionalProperties: false, title: 'a map with url, mode, timeout_ms and others' },
);

export const authentication = Type.Object(
  { jwt: Type.Optional(jwtEntries), webhook: Type.Optional(authenticationWebhook) },
  {
    additionalProperties: false,
    title: 'a map with jwt and webhook',
    description: 'How callers are identified beside the admin secret.',
  },
);

export type RawSetting = Static<ReturnType<typeof setting>>;
export type RawJwt = Static<typeof jwt>;
export type RawAuthenticationWebhook = Static<typeof authenticationWebhook>;
export type RawAuthentication = Static<typeof authentication>;
