import { Type } from 'typebox';
import { namePattern } from '../../text/characters.ts';
import { named } from './call-schemas.ts';

const closed = { additionalProperties: false };

const graphqlName = (title: string, description: string) =>
  Type.String({ title, description, pattern: '^(?!__)[_A-Za-z][_0-9A-Za-z]{0,199}$' });

const openField = Type.Object(
  {
    roles: Type.Array(Type.String({ title: 'the name of a role', pattern: namePattern }), {
      title: 'a list of roles',
      description: 'Roles that may use the field; roles that inherit from them and admin may too.',
      minItems: 1,
      uniqueItems: true,
    }),
    v1: Type.Optional(
      Type.Boolean({
        title: 'true or false',
        description: 'Whether /v1/graphql has the field too; false where it is not written.',
      }),
    ),
  },
  { ...closed, title: 'a map with roles and v1' },
);

/** `fields` of graphile.yaml. */
export const openFields = Type.Record(Type.String(), openField, {
  title: 'a map of root fields to roles',
  description: 'Root fields that plugins add, and the roles that may use them; others are closed.',
});

const relationship = Type.Object(
  {
    type: graphqlName('the name of a type', 'An object type that a plugin adds.'),
    name: graphqlName('the name of a field', 'The field of the type that gives the rows.'),
    table: named('table', 'invoice'),
    columns: Type.Record(
      Type.String(),
      Type.String({ title: 'the name of a column', minLength: 1, pattern: namePattern }),
      {
        title: 'a map of fields to columns',
        description: 'Fields of the type, and the columns of the table that are equal to them.',
        minProperties: 1,
      },
    ),
    kind: Type.Optional(
      Type.Enum(['object', 'array'], {
        title: 'object or array',
        description: 'One row, which is the default, or a list of rows.',
      }),
    ),
  },
  { ...closed, title: 'a map with type, name, table and columns' },
);

/** `relationships` of graphile.yaml. */
export const typeRelationships = Type.Array(relationship, {
  title: 'a list of relationships',
  description: 'Fields of types of plugins that give rows of tables in /v1/graphql.',
});
