import { Type } from 'typebox';
import type { Operation } from '../../rest/endpoint.ts';

const requestSchema = Type.Object(
  {
    query: Type.String({ description: 'A GraphQL document' }),
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

const bodySchema = Type.Union([requestSchema, Type.Array(requestSchema, { minItems: 1 })], {
  description: 'One operation, or a batch of them, which run one after the other',
});

const content = {
  'application/json': Type.Union([answerSchema, Type.Array(answerSchema)]),
};

/** What the GraphQL router answers. @param headerPrefix before the names of role and variables in headers */
export function graphqlOperations(headerPrefix: string): readonly Operation[] {
  const asked = {
    method: 'post',
    tag: 'data',
    schemes: ['adminSecret', 'session', 'bearer', 'sdkToken'],
    headers: {
      [`${headerPrefix}Role`]:
        'The role to act in; absent: `admin` with the admin secret, else `user`',
      [`${headerPrefix}Use-Backend-Only-Permissions`]:
        'With the admin secret: `true` lets rules that are `backend_only` count',
      [`${headerPrefix}Organization-Id`]:
        'With the admin secret: one of the session variables, which all begin alike',
    },
    body: bodySchema,
  } as const;
  return [
    {
      ...asked,
      path: '/v1/graphql',
      operationId: 'runGraphql',
      summary: "run operations in Hasura's dialect of GraphQL",
      description:
        'Errors are answered with 200 too. A batch is answered by a list in the same order.',
      answers: { 200: { description: 'Data, or errors', content } },
    },
    {
      ...asked,
      path: '/v1alpha1/graphql',
      operationId: 'runGraphqlStrictly',
      summary: 'run operations, with another status for errors',
      answers: {
        200: { description: 'Data, or a batch', content },
        400: { description: 'Errors', content },
      },
    },
  ];
}
