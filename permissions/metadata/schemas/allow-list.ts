import { type Static, Type } from 'typebox';
import { list, named, object, optional, placed } from '../shape/shape.ts';
import { name } from './primitives.ts';

const operation = object(
  {
    name: name('the name of an operation'),
    query: placed(Type.String({ title: 'a GraphQL document', minLength: 1 })),
  },
  { title: 'a map with name and query' },
);

const collection = object(
  {
    operations: optional(
      list(operation, { title: 'a list of operations, each with name and query' }),
      [],
    ),
    files: optional(
      list(name('a path in the metadata folder, as ops/*.graphql'), {
        title: 'a list of paths in the metadata folder',
        description:
          'Files with one document each. The file name is the operation name; * matches any name.',
      }),
      [],
    ),
  },
  { title: 'a map with operations or files' },
);

const allowed = object(
  {
    collection: name('the name of a collection'),
    /** The roles that may run the documents. Absent: every role may. */
    roles: optional(
      list(name('the name of a role'), {
        title: 'a list of roles',
        description: 'Roles that may run these operations; default: every role.',
        minItems: 1,
      }),
    ),
  },
  { title: 'a map with collection, and roles where it is not for everybody' },
);

export const allowListFile = object(
  {
    collections: named(collection, { title: 'a map of names to collections of operations' }),
    allow: optional(
      list(allowed, { title: 'a list of collections, each with the roles that it is for' }),
      [],
    ),
  },
  { title: 'a map with collections and allow' },
);

export type AllowListFile = Static<typeof allowListFile>;
