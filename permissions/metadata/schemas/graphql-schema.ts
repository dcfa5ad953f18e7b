import { type TSchema, Type } from 'typebox';
import { namePattern } from '../../text/characters.ts';
import type { QueryField, RootField } from '../../types/tables.ts';

/** What `query_root_fields` lists. */
export const queryFieldKeys = [
  'select',
  'select_by_pk',
  'select_aggregate',
] as const satisfies readonly QueryField[];

/** Keys of `root_fields`. */
export const rootFieldKeys = [
  ...queryFieldKeys,
  ...(['insert', 'insert_one', 'update', 'update_by_pk', 'update_many'] as const),
  ...(['delete', 'delete_by_pk'] as const),
] satisfies readonly RootField[];

const closed = { additionalProperties: false };

const name = (what: string) =>
  Type.String({ title: `the name of ${what} in GraphQL`, minLength: 1, pattern: namePattern });

const description = Type.String({
  title: 'text',
  description: "Instead of the comment in the database; '' for none.",
});

const named = (what: string) =>
  Type.Union(
    [
      name(what),
      Type.Object(
        { name: Type.Optional(name(what)), description: Type.Optional(description) },
        { ...closed, title: 'a map with name and description', minProperties: 1 },
      ),
    ],
    { title: 'a name in GraphQL, or a map with name and description' },
  );

const column = named('the column');

const rootFields: Readonly<Record<string, TSchema>> = Object.fromEntries(
  rootFieldKeys.map((key) => [key, Type.Optional(named('the root field'))]),
);

/** `graphql:` of a table: what the table, its columns and its root fields are called there. */
export const graphql = Type.Object(
  {
    name: Type.Optional(name('the table')),
    description: Type.Optional(description),
    columns: Type.Optional(
      Type.Record(Type.String(), column, { title: 'a map of columns to their names in GraphQL' }),
    ),
    root_fields: Type.Optional(
      Type.Object(rootFields, { ...closed, title: 'a map of root fields to their names' }),
    ),
  },
  { ...closed, title: 'a map with name, description, columns and root_fields' },
);

/** `graphql:` of a function. */
export const functionGraphql = Type.Object(
  {
    name: Type.Optional(name('the function')),
    description: Type.Optional(description),
    root_fields: Type.Optional(
      Type.Object(
        {
          function: Type.Optional(named('the root field')),
          function_aggregate: Type.Optional(named('the root field')),
        },
        { ...closed, title: 'a map with function and function_aggregate' },
      ),
    ),
  },
  { ...closed, title: 'a map with name, description and root_fields' },
);
