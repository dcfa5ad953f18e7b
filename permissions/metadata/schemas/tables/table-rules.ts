import { type Static, type TProperties, type TSchemaOptions, Type } from 'typebox';
import { choice, decoded, list, map, node, object, optional } from '../../shape/shape.ts';
import { name, trueOrFalse, whole } from '../primitives.ts';
import { filter } from './filters.ts';
import { queryFieldKeys, subscriptionFieldKeys } from './graphql-names.ts';

const everyOr = (item: string, items: string, options: TSchemaOptions) =>
  choice(
    [
      decoded(Type.Literal('*'), (_all, { node: { position } }) => ({
        ...{ kind: 'all' as const, position },
      })),
      decoded(list(name(item), { title: items }), (names, { node: { position } }) => ({
        ...{ kind: 'list' as const, names, position },
      })),
    ],
    options,
  );

export const columns = everyOr('the name of a column', 'a list of column names', {
  title: `'*' or a list of column names`,
});

const computedFields = everyOr('the name of a computed field', 'a list of computed fields', {
  title: `'*' or a list of computed fields`,
  description:
    'Fields with a single value. Fields that return rows need a select rule on the table of the rows instead.',
});

const backendOnly = optional(
  trueOrFalse(
    'Over GraphQL the rule applies only to requests with the admin secret and the header for backend-only rules. SQL is not affected.',
  ),
  false,
);

/** Presets: values that the database sets in a row, by column. A value is a literal or a session variable. */
const set = optional(
  decoded(
    node(
      Type.Object(
        {},
        {
          title: 'a map of columns to values or session variables',
          description: 'Columns that the rule fills in instead of the client.',
          additionalProperties: true,
        },
      ),
    ),
    (found) =>
      found.kind === 'map'
        ? found.entries.map(({ key, keyPosition, value }) => ({
            ...{ name: key, position: keyPosition, value },
          }))
        : [],
  ),
  [],
);

const queryRootFields = decoded(
  list(Type.Enum([...queryFieldKeys], { title: queryFieldKeys.join(' or ') }), {
    title: `a list of ${queryFieldKeys.join(', ')}`,
    description:
      'Query fields that read the table over GraphQL; default all. With an empty list, GraphQL reads it only through other tables and functions.',
  }),
  (given) => queryFieldKeys.filter((key) => given.includes(key)),
);

const subscriptionRootFields = decoded(
  list(Type.Enum([...subscriptionFieldKeys], { title: subscriptionFieldKeys.join(' or ') }), {
    title: `a list of ${subscriptionFieldKeys.join(', ')}`,
    description: 'Subscription fields that read the table over GraphQL; default all.',
  }),
  (given) => subscriptionFieldKeys.filter((key) => given.includes(key)),
);

/** A rule of one role for one command. Mistakes in a rule are reported at its key, e.g. `select`. */
const rule = <P extends TProperties>(properties: P, options: TSchemaOptions) =>
  decoded(object(properties, options), (raw, { key: { position } }) => ({ ...raw, position }));

const select = decoded(
  rule(
    {
      filter,
      columns,
      /** Computed fields that the role may read. Absent: none. */
      computed_fields: optional(computedFields),
      allow_aggregations: optional(trueOrFalse(), false),
      query_root_fields: optional(queryRootFields),
      subscription_root_fields: optional(subscriptionRootFields),
      limit: optional(whole(0, 2147483647, 'Maximum rows that one query returns.')),
    },
    { title: 'a select rule', description: 'The rows and columns that the role may read.' },
  ),
  ({ queryRootFields: queryFields, subscriptionRootFields: subscriptionFields, ...raw }) => ({
    ...raw,
    queryFields,
    subscriptionFields,
  }),
);

const insert = rule(
  { check: filter, set, columns, backend_only: backendOnly },
  { title: 'an insert rule', description: 'The condition that new rows must satisfy.' },
);

const update = rule(
  { filter, columns, check: optional(filter), set, backend_only: backendOnly },
  {
    title: 'an update rule',
    description:
      'The rows that the role may change, and the condition that they must satisfy afterwards.',
  },
);

const remove = rule(
  { filter, backend_only: backendOnly },
  { title: 'a delete rule', description: 'The rows that the role may delete.' },
);

const rules = object(
  {
    select: optional(select),
    insert: optional(insert),
    update: optional(update),
    delete: optional(remove),
  },
  { title: 'the rules of one role: select, insert, update and delete' },
);

export const permissions = optional(
  decoded(map(rules, { title: 'a map of roles to rules' }), (entries) =>
    entries.map(({ key, value }) => ({ role: key, ...value })),
  ),
  [],
);

export type RawPermissions = Static<typeof permissions>[number];
export type RawColumns = Static<typeof columns>;
export type RawPreset = Static<typeof set>[number];
export type RawSelect = Static<typeof select>;
export type RawInsert = Static<typeof insert>;
export type RawUpdate = Static<typeof update>;
export type RawDelete = Static<typeof remove>;
