import { type Static, type TProperties, type TSchemaOptions, Type } from 'typebox';
import { choice, decoded, list, map, node, object, optional } from '../../shape/shape.ts';
import { name, trueOrFalse, whole } from '../primitives.ts';
import { filter } from './filters.ts';
import { queryFieldKeys } from './graphql-names.ts';

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

const columns = everyOr('the name of a column', 'a list of column names', {
  title: `'*' or a list of column names`,
});

const computedFields = everyOr('the name of a computed field', 'a list of computed fields', {
  title: `'*' or a list of computed fields`,
  description: 'Those with one value; fields with rows go by the rules of the rows.',
});

const backendOnly = optional(
  trueOrFalse(
    'Over GraphQL only for requests with the admin secret that ask for it by header; SQL is not concerned.',
  ),
  false,
);

/** Presets, each a literal or a session variable for one column. */
const set = optional(
  decoded(
    node(
      Type.Object(
        {},
        {
          title: 'a map of columns to values or session variables',
          description: 'Columns that are filled in by the rule and not by the client.',
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
      'By which fields of the query type the rows are read over GraphQL; default all. With none of them, by way of other tables and functions.',
  }),
  (given) => queryFieldKeys.filter((key) => given.includes(key)),
);

/** A rule stands where its command does. */
const rule = <P extends TProperties>(properties: P, options: TSchemaOptions) =>
  decoded(object(properties, options), (raw, { key: { position } }) => ({ ...raw, position }));

const select = decoded(
  rule(
    {
      filter,
      columns,
      /** Absent: none. */
      computed_fields: optional(computedFields),
      allow_aggregations: optional(trueOrFalse(), false),
      query_root_fields: optional(queryRootFields),
      limit: optional(whole(0, 2147483647, 'The most rows that one query gets.')),
    },
    { title: 'a select rule', description: 'Which rows and columns the role may read.' },
  ),
  ({ queryRootFields: queryFields, ...raw }) => ({ ...raw, queryFields }),
);

const insert = rule(
  { check: filter, set, columns, backend_only: backendOnly },
  { title: 'an insert rule', description: 'What new rows must satisfy.' },
);

const update = rule(
  { filter, columns, check: optional(filter), set, backend_only: backendOnly },
  {
    title: 'an update rule',
    description: 'Which rows the role may change, and what they must satisfy afterwards.',
  },
);

const remove = rule(
  { filter, backend_only: backendOnly },
  { title: 'a delete rule', description: 'Which rows the role may delete.' },
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

/** `permissions:` of a table. */
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
