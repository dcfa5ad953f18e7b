import { type TSchema, Type } from 'typebox';
import { namePattern } from '../../text/characters.ts';
import { actionsFileSchema } from './action-schemas.ts';
import { functionName, named, rights } from './call-schemas.ts';
import { cronFileSchema, events } from './event-schemas.ts';
import { filter, filtersFile } from './filters.ts';
import { functionFileSchema } from './function-schemas.ts';
import { graphileFileSchema } from './graphile-schema.ts';
import { graphql, queryFieldKeys } from './graphql-schema.ts';
import { allowListFileSchema } from './operation-schemas.ts';
import { rolesFile } from './roles.ts';
import { settingsFile } from './settings.ts';

/*
 * What each metadata file looks like. A `title` completes the sentence "… must be <title>" in messages; a
 * `description` is for people who write the file in an editor.
 */
const closed = { additionalProperties: false };

const name = (title: string) => Type.String({ title, minLength: 1, pattern: namePattern });

const boolean = Type.Boolean({ title: 'true or false' });

const backendOnly = Type.Boolean({
  title: 'true or false',
  description:
    'Over GraphQL only for requests with the admin secret that ask for it by header; SQL is not concerned.',
});

const columns = Type.Union(
  [
    Type.Literal('*'),
    Type.Array(name('the name of a column'), { title: 'a list of column names' }),
  ],
  { title: `'*' or a list of column names` },
);

const computedFields = Type.Union(
  [
    Type.Literal('*'),
    Type.Array(name('the name of a computed field'), { title: 'a list of computed fields' }),
  ],
  {
    title: `'*' or a list of computed fields`,
    description: 'Those with one value; fields with rows go by the rules of the rows.',
  },
);

const set = Type.Object(
  {},
  {
    title: 'a map of columns to values or session variables',
    description: 'Columns that are filled in by the rule and not by the client.',
    additionalProperties: true,
  },
);

const select = Type.Object(
  {
    filter,
    columns,
    computed_fields: Type.Optional(computedFields),
    allow_aggregations: Type.Optional(boolean),
    query_root_fields: Type.Optional(
      Type.Array(Type.Enum([...queryFieldKeys], { title: queryFieldKeys.join(' or ') }), {
        title: `a list of ${queryFieldKeys.join(', ')}`,
        description:
          'By which fields of the query type the rows are read over GraphQL; default all. With none of them, by way of other tables and functions.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        title: 'a whole number from 0 to 2147483647',
        description: 'The most rows that one query gets.',
        minimum: 0,
        maximum: 2147483647,
      }),
    ),
  },
  { ...closed, title: 'a select rule', description: 'Which rows and columns the role may read.' },
);

const insert = Type.Object(
  { check: filter, set: Type.Optional(set), columns, backend_only: Type.Optional(backendOnly) },
  { ...closed, title: 'an insert rule', description: 'What new rows must satisfy.' },
);

const update = Type.Object(
  {
    filter,
    columns,
    check: Type.Optional(filter),
    set: Type.Optional(set),
    backend_only: Type.Optional(backendOnly),
  },
  {
    ...closed,
    title: 'an update rule',
    description: 'Which rows the role may change, and what they must satisfy afterwards.',
  },
);

const remove = Type.Object(
  { filter, backend_only: Type.Optional(backendOnly) },
  { ...closed, title: 'a delete rule', description: 'Which rows the role may delete.' },
);

const permissions = Type.Object(
  {
    select: Type.Optional(select),
    insert: Type.Optional(insert),
    update: Type.Optional(update),
    delete: Type.Optional(remove),
  },
  { ...closed, title: 'the rules of one role: select, insert, update and delete' },
);

const table = named('table', 'invoice');

const relationship = Type.Object(
  {
    table: Type.Optional(table),
    column: Type.Optional(name('the name of a column')),
    columns: Type.Optional(
      Type.Union(
        [
          Type.Array(name('the name of a column'), { title: 'a list of columns', minItems: 1 }),
          Type.Record(Type.String(), name('the name of a column of the other table'), {
            title: 'a map of columns to columns of the other table',
            minProperties: 1,
          }),
        ],
        { title: 'a list of columns, or a map of columns to columns of the other table' },
      ),
    ),
    kind: Type.Optional(
      Type.Enum(['object', 'array'], {
        title: 'object or array',
        description: 'One row, or a list of them.',
      }),
    ),
    insertion_order: Type.Optional(
      Type.Enum(['before_parent', 'after_parent'], {
        title: 'before_parent or after_parent',
        description: 'When a nested insert writes the other row; for object relationships by hand.',
      }),
    ),
  },
  { ...closed, title: 'a relationship' },
);

const computedField = Type.Object(
  {
    function: functionName,
    table_argument: Type.Optional(name('the name of an argument')),
    session_argument: Type.Optional(name('the name of an argument')),
    rights: Type.Optional(rights),
    description: Type.Optional(
      Type.String({
        title: 'text',
        description: "Instead of the comment on the function; '' for none.",
      }),
    ),
  },
  {
    ...closed,
    title: 'a map with function',
    description: 'A field that a function of the database computes from a row.',
  },
);

const column = Type.Object(
  {
    statistics: Type.Literal('none', {
      title: 'none',
      description:
        "Postgres keeps no statistics about the column's values, which planner estimates would reveal to direct logins.",
    }),
  },
  { ...closed, title: 'a map with statistics' },
);

/** One file of tables/: a table, its names, its rules by role, and its relationships. */
export const tableFileSchema = Type.Object(
  {
    table,
    is_enum: Type.Optional(
      Type.Boolean({
        title: 'true or false',
        description:
          'Its rows are the values of an enum of GraphQL, and columns that refer to it hold them.',
      }),
    ),
    graphql: Type.Optional(graphql),
    columns: Type.Optional(
      Type.Record(Type.String(), column, { title: 'a map of columns to settings' }),
    ),
    permissions: Type.Optional(
      Type.Record(Type.String(), permissions, { title: 'a map of roles to rules' }),
    ),
    relationships: Type.Optional(
      Type.Record(Type.String(), relationship, { title: 'a map of names to relationships' }),
    ),
    computed_fields: Type.Optional(
      Type.Record(Type.String(), computedField, { title: 'a map of names to computed fields' }),
    ),
    without_relationships: Type.Optional(
      Type.Array(name('the name of a relationship'), {
        title: 'a list of relationships',
        description:
          'Relationships that foreign keys would give by default, and that nobody wants.',
      }),
    ),
    events: Type.Optional(events),
  },
  { ...closed, title: 'a map with table and permissions' },
);

/** The schemas for editors, by the file names (patterns, for the tables) that they are for. */
export function editorSchemas(): Readonly<Record<string, TSchema & { readonly $schema: string }>> {
  const forEditor = <T extends TSchema>(schema: T) => ({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...schema,
  });
  return {
    'roles.yaml': forEditor(rolesFile),
    'cron.yaml': forEditor(cronFileSchema),
    'actions.yaml': forEditor(actionsFileSchema),
    'allow_list.yaml': forEditor(allowListFileSchema),
    'graphile.yaml': forEditor(graphileFileSchema),
    'filters.yaml': forEditor(filtersFile),
    'rowgate.yaml': forEditor(settingsFile),
    'tables/*.yaml': forEditor(tableFileSchema),
    'functions/*.yaml': forEditor(functionFileSchema),
  };
}
