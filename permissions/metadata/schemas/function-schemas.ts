import { Type } from 'typebox';
import { namePattern } from '../../text/characters.ts';
import { functionName, rights } from './call-schemas.ts';
import { functionGraphql } from './graphql-schema.ts';

const name = (title: string) => Type.String({ title, minLength: 1, pattern: namePattern });

/** One file of functions/: a function of the database that is a root field. */
export const functionFileSchema = Type.Object(
  {
    function: functionName,
    exposed_as: Type.Optional(
      Type.Enum(['query', 'mutation'], {
        title: 'query or mutation',
        description: 'Absent: mutation where the function is volatile, else query.',
      }),
    ),
    session_argument: Type.Optional(name('the name of an argument')),
    rights: Type.Optional(rights),
    permissions: Type.Optional(
      Type.Array(name('the name of a role'), {
        title: 'a list of roles',
        description: 'Who may call it, of those who may select what it returns.',
        uniqueItems: true,
      }),
    ),
    graphql: Type.Optional(functionGraphql),
  },
  { additionalProperties: false, title: 'a map with function and permissions' },
);
