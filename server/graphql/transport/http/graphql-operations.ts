import { Type } from 'typebox';
import { problemSchema } from '../../../http/answers/problem.ts';
import type { Answer, Operation } from '../../../http/endpoint/operation.ts';

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
        description: 'A GraphQL document, unless it is named otherwise',
      }),
    ),
    documentId: Type.Optional(Type.Union([documentId, Type.Null()])),
    extensions: Type.Optional(Type.Union([extensionsSchema, Type.Null()])),
    variables: Type.Optional(Type.Union([Type.Object({}), Type.Null()])),
    operationName: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Which operation of the document is meant, where it holds several',
      }),
    ),
  },
  { title: 'GraphqlRequest' },
);

const errorSchema = Type.Object(
  {
    message: Type.String(),
    extensions: Type.Object({
      code: Type.String({ description: "One of Hasura's" }),
      path: Type.String({ description: 'Where in the document' }),
      retryAfter: Type.Optional(
        Type.Integer({ description: 'Seconds after which trying again may help' }),
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
    'Seconds after which trying again may help: an operation was one too many, or of a batch one could not be run',
};

const content = {
  'application/json': Type.Union([answerSchema, Type.Array(answerSchema)]),
};

const unavailable: Answer = {
  description:
    'Nothing was done: errors where the database does not answer, or where other requests hold the connections or the memory; a problem where the database does not identify the caller, or the server starts',
  content: { ...content, 'application/problem+json': problemSchema },
  headers: { 'Retry-After': 'Seconds after which trying again may help' },
};

/** Describes the endpoints of Hasura's dialect. @param headerPrefix before the names of role and variables in headers */
export function graphqlOperations(headerPrefix: string): readonly Operation[] {
  const asked = {
    tag: 'data',
    schemes: ['adminSecret', 'session', 'bearer', 'sdkToken'],
    headers: {
      [`${headerPrefix}Role`]:
        'The role to act in; absent: `admin` with the admin secret, else `user`',
      [`${headerPrefix}Use-Backend-Only-Permissions`]:
        'With the admin secret: `true` lets rules that are `backend_only` count',
      [`${headerPrefix}Organization-Id`]:
        'With the admin secret: one of the session variables, which all begin alike',
      [`${headerPrefix}Debug`]:
        'With the admin secret: `true` asks for headers that say who asks and how long it took',
    },
  } as const;
  const posted = { ...asked, method: 'post', body: bodySchema } as const;
  const linked = {
    ...asked,
    method: 'get',
    query: linkSchema,
    description: 'For documents that the server keeps, by their id or hash; they may not write.',
  } as const;
  const tooMany = {
    content: { 'application/problem+json': problemSchema },
    description: 'Too many wrong admin secrets from this address',
    headers: { 'Retry-After': 'Seconds until it may be tried again' },
  };
  const answered = {
    200: { description: 'Data, or errors', content, headers },
    429: tooMany,
    503: unavailable,
  };
  const strictly = {
    200: { description: 'Data, or a batch', content, headers },
    400: { description: 'Errors', content },
    405: { description: 'Another method, or no document is named', content },
    429: {
      description:
        'The role has run as many operations as it may, or this address has sent too many wrong admin secrets',
      content: { ...content, ...tooMany.content },
      headers,
    },
    503: unavailable,
  };
  return [
    {
      ...posted,
      path: '/v1/graphql',
      operationId: 'runGraphql',
      summary: "run operations in Hasura's dialect of GraphQL",
      description:
        'Errors are answered with 200 too. A batch is answered by a list in the same order.',
      answers: answered,
    },
    {
      ...linked,
      path: '/v1/graphql',
      operationId: 'followGraphql',
      summary: 'run a query that the server knows',
      answers: { ...answered, 405: strictly[405] },
    },
    {
      ...linked,
      path: '/v1alpha1/graphql',
      operationId: 'followGraphqlStrictly',
      summary: 'run a query that the server knows, with another status for errors',
      answers: strictly,
    },
    {
      ...posted,
      path: '/v1alpha1/graphql',
      operationId: 'runGraphqlStrictly',
      summary: 'run operations, with another status for errors',
      answers: {
        200: strictly[200],
        400: strictly[400],
        429: strictly[429],
        503: strictly[503],
      },
    },
  ];
}

/** Describes the endpoint of PostGraphile's own dialect. */
export function otherGraphqlOperations(headerPrefix: string, path: string): readonly Operation[] {
  const texts = {
    post: { operationId: 'runPostGraphile', summary: "run operations in PostGraphile's dialect" },
    get: {
      operationId: 'followPostGraphile',
      summary: "run a query in PostGraphile's dialect that the server knows",
    },
  };
  return graphqlOperations(headerPrefix).flatMap((operation) => {
    const { method } = operation;
    if (operation.path !== '/v1/graphql' || (method !== 'post' && method !== 'get')) return [];
    return [{ ...operation, ...texts[method], path }];
  });
}
