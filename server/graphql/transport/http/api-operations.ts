import { Type } from 'typebox';
import { problemSchema } from '../../../http/answers/problem.ts';
import type { ApiAnswer, ApiOperation } from '../../../http/endpoint/api-operation.ts';
import { dataTag } from '../../../http/endpoint/api-tag.ts';
import type { SecurityScheme } from '../../../http/endpoint/security-scheme.ts';
import { explainAnswer, explainBody } from './explain-handler.ts';

const documentId = Type.String({
  description: 'A document of the allow-list: `collection/name`, or the SHA-256 of its text',
});

const extensionsSchema = Type.Object(
  {
    persistedQuery: Type.Optional(
      Type.Object({
        version: Type.Literal(1),
        sha256Hash: Type.String({ description: 'Of the document, in hexadecimal digits' }),
      }),
    ),
  },
  { title: 'GraphqlExtensions' },
);

const requestSchema = Type.Object(
  {
    query: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'A GraphQL document; may be absent when another key identifies it',
      }),
    ),
    documentId: Type.Optional(Type.Union([documentId, Type.Null()])),
    extensions: Type.Optional(Type.Union([extensionsSchema, Type.Null()])),
    variables: Type.Optional(Type.Union([Type.Object({}), Type.Null()])),
    operationName: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'The operation to run, required when the document has several',
      }),
    ),
  },
  { title: 'GraphqlRequest' },
);

const errorSchema = Type.Object(
  {
    message: Type.String(),
    extensions: Type.Object({
      code: Type.String({ description: 'An error code, usually of Hasura' }),
      path: Type.String({ description: 'The place in the operation, as a JSON path' }),
      retryAfter: Type.Optional(
        Type.Integer({ description: 'Seconds after which another try may succeed' }),
      ),
    }),
  },
  { title: 'GraphqlError' },
);

const answerSchema = Type.Object(
  {
    data: Type.Optional(Type.Union([Type.Object({}), Type.Null()])),
    errors: Type.Optional(Type.Array(errorSchema)),
  },
  { title: 'GraphqlAnswer' },
);

const linkSchema = Type.Object({
  documentId: Type.Optional(documentId),
  extensions: Type.Optional(
    Type.String({
      description: 'JSON, as in a body: the hash of a document that the server knows',
    }),
  ),
  variables: Type.Optional(Type.String({ description: 'JSON' })),
  operationName: Type.Optional(Type.String()),
});

const bodySchema = Type.Union([requestSchema, Type.Array(requestSchema, { minItems: 1 })], {
  description: 'One operation, or a batch of them, which run one after the other',
});

const headers = {
  'Retry-After':
    'Seconds after which another try may succeed, when an operation exceeded a rate limit or could not run',
};

const content = {
  'application/json': Type.Union([answerSchema, Type.Array(answerSchema)]),
};

const unavailable: ApiAnswer = {
  description:
    'Nothing was done. Errors: the database does not answer, or other requests use all connections or all memory for answers. A problem: the caller cannot be identified, or the server is starting',
  content: { ...content, 'application/problem+json': problemSchema },
  headers: { 'Retry-After': 'Seconds after which another try may succeed' },
};

const tooManySecrets = {
  content: { 'application/problem+json': problemSchema },
  description: 'Too many wrong admin secrets from this address',
  headers: { 'Retry-After': 'Seconds after which another try is allowed' },
};

const withStream = {
  ...content,
  'text/event-stream': Type.String({
    description:
      'If the request accepts it: an event `next` for each answer, then `complete`. Subscriptions need it; they end when the client disconnects.',
  }),
};

const plainAnswers = {
  200: { description: 'Data, or errors', content, headers },
  429: tooManySecrets,
  503: unavailable,
};

const lenientAnswers = {
  ...plainAnswers,
  200: { ...plainAnswers[200], content: withStream },
};

const otherMethod: ApiAnswer = {
  description: 'Another method, or a URL without a document',
  content,
};

const strictAnswers = {
  200: { description: 'Data, or a batch', content: withStream, headers },
  400: { description: 'Errors', content },
  405: otherMethod,
  429: {
    description:
      'The role has run as many operations as it may, or this address has sent too many wrong admin secrets',
    content: { ...content, ...tooManySecrets.content },
    headers,
  },
  503: unavailable,
};

/** Answers to a request for a socket. */
const socketAnswers = {
  101: {
    description:
      'A WebSocket, if the request has the headers for it: operations and subscriptions in the first known one of the offered subprotocols, `graphql-transport-ws` or the older `graphql-ws`',
    headers: { 'Sec-WebSocket-Protocol': 'The subprotocol of the socket' },
  },
  403: { description: 'A page of another site may not open a socket' },
  429: {
    ...tooManySecrets,
    description: 'Too many sockets, or too many wrong admin secrets, from this address',
  },
};

export interface ApiOperationsOptions {
  /** Prefix of the headers for role and variables. */
  readonly headerPrefix: string;
  /** The ways in which callers authenticate. */
  readonly schemes: readonly SecurityScheme[];
}

/** The parts that the endpoints of all dialects have in common. */
function commonParts({ headerPrefix, schemes }: ApiOperationsOptions) {
  const base = { tag: dataTag, schemes, headers: callerHeaders(headerPrefix) } as const;
  const posted = {
    ...base,
    method: 'post',
    body: bodySchema,
    description:
      'Errors are answered with 200 too. A batch is answered by a list in the same order.',
  } as const;
  const linked = {
    ...base,
    method: 'get',
    query: linkSchema,
    description:
      'Only for documents that the server knows by their id or hash, and that do not write.',
  } as const;
  return { base, posted, linked };
}

/** Describes the endpoints of Hasura's dialect. */
export function hasuraApiOperations(options: ApiOperationsOptions): readonly ApiOperation[] {
  const { base, posted, linked } = commonParts(options);
  return [
    {
      ...posted,
      path: '/v1/graphql',
      operationId: 'runGraphql',
      summary: "run operations in Hasura's dialect of GraphQL",
      answers: lenientAnswers,
    },
    {
      ...linked,
      path: '/v1/graphql',
      operationId: 'followGraphql',
      summary: 'run a query that the server knows, or open a WebSocket',
      headers: {
        ...base.headers,
        Upgrade: '`websocket` opens a socket, which reads credentials from `connection_init` too',
        'Sec-WebSocket-Protocol': '`graphql-transport-ws` or `graphql-ws`, for a socket',
      },
      answers: { ...lenientAnswers, ...socketAnswers, 405: otherMethod },
    },
    {
      ...linked,
      path: '/v1alpha1/graphql',
      operationId: 'followGraphqlStrictly',
      summary: 'run a query that the server knows, with another status for errors',
      answers: strictAnswers,
    },
    {
      ...posted,
      path: '/v1alpha1/graphql',
      operationId: 'runGraphqlStrictly',
      summary: 'run operations, with another status for errors',
      description: 'A batch is answered by a list in the same order.',
      answers: {
        200: strictAnswers[200],
        400: strictAnswers[400],
        429: strictAnswers[429],
        503: strictAnswers[503],
      },
    },
    {
      ...base,
      method: 'post',
      path: '/v1/graphql/explain',
      operationId: 'explainGraphql',
      summary: 'show the SQL and the plan of a query, with the admin secret',
      description: 'Explains a query for the role and the session variables of `user`.',
      body: explainBody,
      answers: {
        200: {
          description: 'Each root field that reads tables',
          content: { 'application/json': explainAnswer },
        },
        400: strictAnswers[400],
        405: { description: 'Another method', content },
        429: strictAnswers[429],
        503: strictAnswers[503],
      },
    },
  ];
}

/** Headers by which a caller chooses a role and, with the admin secret, session variables. */
function callerHeaders(headerPrefix: string): Readonly<Record<string, string>> {
  return {
    [`${headerPrefix}Role`]:
      'The role to act in; absent: `admin` with the admin secret, else `user`',
    [`${headerPrefix}Use-Backend-Only-Permissions`]:
      'With the admin secret: `true` makes `backend_only` rules apply',
    [`${headerPrefix}Organization-Id`]:
      'With the admin secret: a session variable; the headers of all others have the same prefix',
    [`${headerPrefix}Debug`]:
      'With the admin secret: `true` requests response headers with the role and the duration',
  };
}

/** Describes the endpoint of PostGraphile's own dialect, which has neither event streams nor sockets. */
export function postgraphileApiOperations(
  options: ApiOperationsOptions,
  path: string,
): readonly ApiOperation[] {
  const { posted, linked } = commonParts(options);
  return [
    {
      ...posted,
      path,
      operationId: 'runPostGraphile',
      summary: "run operations in PostGraphile's dialect",
      answers: plainAnswers,
    },
    {
      ...linked,
      path,
      operationId: 'followPostGraphile',
      summary: "run a query in PostGraphile's dialect that the server knows",
      answers: { ...plainAnswers, 405: otherMethod },
    },
  ];
}
