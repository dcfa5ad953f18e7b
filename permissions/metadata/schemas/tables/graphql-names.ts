import type { Static } from 'typebox';
import { choice, decoded, map, mapOf, object, optional, orEmpty } from '../../shape/shape.ts';
import { name, text } from '../primitives.ts';

/** The values of `query_root_fields`. */
export const queryFieldKeys = ['select', 'select_by_pk', 'select_aggregate'] as const;

/** The fields of the query type that read a table. */
export type QueryField = (typeof queryFieldKeys)[number];

/** The values of `subscription_root_fields`. */
export const subscriptionFieldKeys = [...queryFieldKeys, 'select_stream'] as const;

/** The fields of the subscription type that read a table. */
export type SubscriptionField = (typeof subscriptionFieldKeys)[number];

/** The keys of `root_fields`, which are Hasura's names for the root fields of a table. */
const rootFieldKeys = [
  ...subscriptionFieldKeys,
  ...(['insert', 'insert_one', 'update', 'update_by_pk', 'update_many'] as const),
  ...(['delete', 'delete_by_pk'] as const),
];

/** The root fields of a table in GraphQL, by the names that Hasura uses in `custom_root_fields`. */
export type RootField = (typeof rootFieldKeys)[number];

const nameOf = (what: string) => name(`the name of ${what} in GraphQL`);

/** A description in GraphQL. Absent: the comment in the database, or a default text. `''`: no description. */
const description = optional(text("Replaces the comment in the database; '' for no description."));

const named = (what: string) =>
  choice(
    [
      decoded(nameOf(what), (given) => ({ name: given, description: undefined })),
      object(
        { name: optional(nameOf(what)), description },
        { title: 'a map with name and description', minProperties: 1 },
      ),
    ],
    { title: 'a name in GraphQL, or a map with name and description' },
  );

const columns = decoded(
  map(named('the column'), { title: 'a map of columns to their names in GraphQL' }),
  (entries) => entries.map(({ key, value }) => ({ column: key, ...value })),
);

const rootFields = decoded(
  mapOf(rootFieldKeys, named('the root field'), { title: 'a map of root fields to their names' }),
  (entries) => entries.map(({ key, value }) => ({ field: key.name, ...value })),
);

/** `graphql:` of a table: the names of the table, its columns and its root fields in GraphQL. */
export const tableGraphql = orEmpty(
  object(
    {
      /** Absent: derived from the name in the database. */
      name: optional(nameOf('the table')),
      description,
      columns: optional(columns, []),
      root_fields: optional(rootFields, []),
    },
    { title: 'a map with name, description, columns and root_fields' },
  ),
);

export type RawGraphql = Static<typeof tableGraphql>;

const rootField = optional(named('the root field'), { name: undefined, description: undefined });

/** `graphql:` of a function. */
export const functionGraphql = orEmpty(
  decoded(
    object(
      {
        /** Absent: derived from the name in the database. */
        name: optional(nameOf('the function')),
        description,
        root_fields: orEmpty(
          object(
            { function: rootField, function_aggregate: rootField },
            { title: 'a map with function and function_aggregate' },
          ),
        ),
      },
      { title: 'a map with name, description and root_fields' },
    ),
    ({ rootFields: fields, ...raw }) => ({ ...raw, ...fields }),
  ),
);

export type RawFunctionField = Static<typeof rootField>;
