import { type Static, Type } from 'typebox';
import { decoded, list, map, named, object, optional } from '../../shape/shape.ts';
import { name, text, trueOrFalse } from '../primitives.ts';
import { events } from '../webhooks/event-triggers.ts';
import { tableGraphql } from './graphql-names.ts';
import { relationships } from './relationships.ts';
import { functionName, rights, tableName } from './table-reference.ts';
import { permissions } from './table-rules.ts';

/** Its position, where a table is an enum. */
const isEnum = decoded(
  trueOrFalse(
    'Its rows are the values of an enum of GraphQL, and columns that refer to it hold them.',
  ),
  (on, { node: { position } }) => (on ? position : undefined),
);

const column = object(
  {
    statistics: Type.Literal('none', {
      title: 'none',
      description:
        "Postgres keeps no statistics about the column's values, which planner estimates would reveal to direct logins.",
    }),
  },
  { title: 'a map with statistics' },
);

/** The columns without statistics: the schema knows no other setting, and no other value of this one. */
const columns = decoded(map(column, { title: 'a map of columns to settings' }), (entries) =>
  entries.map(({ key }) => key),
);

const computedField = object(
  {
    function: functionName,
    /** Absent: the first argument that takes a row of the table. */
    table_argument: optional(name('the name of an argument')),
    session_argument: optional(name('the name of an argument')),
    /** Absent: the owner's for a `security definer` function, else the caller's. */
    rights: optional(rights),
    description: optional(text("Instead of the comment on the function; '' for none.")),
  },
  {
    title: 'a map with function',
    description: 'A field that a function of the database computes from a row.',
  },
);

/** One file of tables/: a table, its names, its rules by role, and its relationships. */
export const tableFile = decoded(
  object(
    {
      table: tableName,
      is_enum: optional(isEnum),
      graphql: tableGraphql,
      columns: optional(columns, []),
      permissions,
      relationships,
      computed_fields: optional(
        named(computedField, { title: 'a map of names to computed fields' }),
        [],
      ),
      without_relationships: optional(
        list(name('the name of a relationship'), {
          title: 'a list of relationships',
          description:
            'Relationships that foreign keys would give by default, and that nobody wants.',
        }),
        [],
      ),
      events: optional(events, []),
    },
    { title: 'a map with table and permissions' },
  ),
  ({
    table: { schema, table, position },
    isEnum: enumPosition,
    columns: withoutStatistics,
    ...raw
  }) => ({
    ...{ file: position.file, schema, name: table, position, enumPosition, withoutStatistics },
    ...raw,
  }),
);

export type RawTable = Static<typeof tableFile>;
export type RawComputedField = RawTable['computedFields'][number];
