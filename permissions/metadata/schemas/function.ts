import { type Static, Type } from 'typebox';
import { decoded, list, object, optional } from '../shape/shape.ts';
import { name } from './primitives.ts';
import { functionGraphql } from './tables/graphql-names.ts';
import { functionName, rights } from './tables/table-reference.ts';

export const functionFile = decoded(
  object(
    {
      function: functionName,
      exposed_as: optional(
        Type.Enum(['query', 'mutation'], {
          title: 'query or mutation',
          description: 'Default: mutation for a volatile function, query for others.',
        }),
      ),
      session_argument: optional(name('the name of an argument')),
      /** The rights with which the function runs. Absent: the caller's rights. */
      rights: optional(rights),
      permissions: optional(
        list(name('the name of a role'), {
          title: 'a list of roles',
          description: 'Roles that may call it, if they may also select what it returns.',
          uniqueItems: true,
        }),
        [],
      ),
      graphql: functionGraphql,
    },
    { title: 'a map with function and permissions' },
  ),
  (raw, { node: { position } }) => ({ ...raw, file: position.file }),
);

export type RawFunction = Static<typeof functionFile>;
