import { Type } from 'typebox';
import { namePattern } from '../../text/characters.ts';

const closed = { additionalProperties: false };

const operation = Type.Object(
  {
    name: Type.String({ title: 'the name of an operation', minLength: 1, pattern: namePattern }),
    query: Type.String({ title: 'a GraphQL document', minLength: 1 }),
  },
  { ...closed, title: 'a map with name and query' },
);

const collection = Type.Object(
  {
    operations: Type.Optional(
      Type.Array(operation, { title: 'a list of operations, each with name and query' }),
    ),
    files: Type.Optional(
      Type.Array(
        Type.String({
          title: 'a path in the metadata folder, as ops/*.graphql',
          minLength: 1,
          pattern: namePattern,
        }),
        {
          title: 'a list of paths in the metadata folder',
          description: 'Files of one document each, named by the file; * stands for any name.',
        },
      ),
    ),
  },
  { ...closed, title: 'a map with operations or files' },
);

const allowed = Type.Object(
  {
    collection: Type.String({ title: 'the name of a collection', pattern: namePattern }),
    roles: Type.Optional(
      Type.Array(Type.String({ title: 'the name of a role', pattern: namePattern }), {
        title: 'a list of roles',
        description: 'Who may run these operations; everybody where it is not written.',
        minItems: 1,
      }),
    ),
  },
  { ...closed, title: 'a map with collection, and roles where it is not for everybody' },
);

/** allow_list.yaml. */
export const allowListFileSchema = Type.Object(
  {
    collections: Type.Record(Type.String(), collection, {
      title: 'a map of names to collections of operations',
    }),
    allow: Type.Optional(
      Type.Array(allowed, { title: 'a list of collections, each with the roles that it is for' }),
    ),
  },
  { ...closed, title: 'a map with collections and allow' },
);
