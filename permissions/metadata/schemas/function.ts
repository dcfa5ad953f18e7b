import { type Static, Type } from 'typebox';
import { decoded, list, object, optional } from '../shape/shape.ts';
import { name } from './primitives.ts';
import { functionGraphql } from './tables/graphql-names.ts';
import { functionName, rights } from './tables/table-reference.ts';

/** One file of functions/: a function of the database that is a root field. */
export const functionFile = decoded(
  object(
    {
      function: functionName,
      exposed_as: optional(
        Type.Enum(['query', 'mutation'], {
          title: 'query or mutation',
          description: 'Absent: mutation where the function is volatile, else query.',
        }),
      ),
      session_argument: optional(name('the name of an argument')),
      /** Absent: the caller's. */
      rights: optional(rights),
      permissions: optional(
        list(name('the name of a role'), {
          title: 'a list of roles',
          description: 'Who may call it, of those who may select what it returns.',
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
