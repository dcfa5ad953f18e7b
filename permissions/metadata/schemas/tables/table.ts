import { type Static, Type } from 'typebox';
import { decoded, list, map, named, object, optional } from '../../shape/shape.ts';
import { name, text, trueOrFalse } from '../primitives.ts';
import { events } from '../webhooks/event-triggers.ts';
import { tableGraphql } from './graphql-names.ts';
import { live } from './live.ts';
import { relationships } from './relationships.ts';
import { functionName, rights, tableName } from './table-reference.ts';
import { permissions } from './table-rules.ts';

/** The position of `is_enum: true`. Undefined for `false`: only a table with a position is an enum. */
const isEnum = decoded(
  trueOrFalse(
    'The rows of the table are the values of a GraphQL enum, the type of columns that refer to the table.',
  ),
  (on, { node: { position } }) => (on ? position : undefined),
);

const column = object(
  {
    statistics: Type.Literal('none', {
      title: 'none',
      description:
        'Postgres keeps no statistics about the column. Otherwise planner estimates reveal values to direct logins.',
    }),
  },
  { title: 'a map with statistics' },
);

/**
 * Settings of columns. The result lists the columns with `statistics: none`, the only setting that the schema allows.
 */
const columns = decoded(map(column, { title: 'a map of columns to settings' }), (entries) =>
  entries.map(({ key }) => key),
);

const computedField = object(
  {
    function: functionName,
    /** The argument that takes the row. Absent: the first argument whose type is a row of the table. */
    table_argument: optional(name('the name of an argument')),
    session_argument: optional(name('the name of an argument')),
    /**
     * The rights with which the function runs. Absent: the owner's for a `security definer` function, else the
     * caller's.
     */
    rights: optional(rights),
    description: optional(text("Replaces the comment on the function; '' for no description.")),
  },
  {
    title: 'a map with function',
    description: 'A field that a database function computes from a row.',
  },
);

/** The schema of a file in tables/: a table, its names, its rules by role, and its relationships. */
export const tableFile = decoded(
  object(
    {
      table: tableName,
      is_enum: optional(isEnum),
      all_rows: optional(
        trueOrFalse(
          'Whether select rules of every role may show every row, as for reference data. check warns about others that do; default false.',
        ),
      ),
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
          description: 'Default relationships of foreign keys that are to be left out.',
        }),
        [],
      ),
      events: optional(events, []),
      live: optional(live),
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
