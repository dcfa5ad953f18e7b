import { type TProperties, type TSchema, Type } from 'typebox';
import { ruleOperations } from '../../permissions/index.ts';
import type { Json } from '../graphql/json.ts';

const maxNameLength = 200;
/** A table of Postgres has at most 1600 columns. */
const maxNames = 1600;

/** A text without the character that Postgres does not accept. */
export const text = (
  options: { readonly description?: string; readonly maxLength?: number } = {},
) => Type.String({ ...options, pattern: '^[^\\x00]*$' });

export const name = (description: string) => text({ description, maxLength: maxNameLength });

const names = (description: string) =>
  Type.Array(name('A name'), { description, maxItems: maxNames });

export const texts = (description: string) => textsOf<string>(description, text());

export const textsOrNulls = (description: string) =>
  textsOf<string | null>(description, Type.Union([text(), Type.Null()]));

const textsOf = <Value>(description: string, additionalProperties: TSchema) =>
  Type.Unsafe<Readonly<Record<string, Value>>>({
    description,
    type: 'object',
    additionalProperties,
    propertyNames: name('A name'),
    maxProperties: maxNames,
  });

export const body = <Properties extends TProperties>(title: string, properties: Properties) =>
  Type.Object(properties, { title, additionalProperties: false });

export const sessionVariables = Type.Optional(
  texts('Session variables of the caller by the names of their headers, such as X-Gql-User-Id'),
);

export const rule = {
  role: name('A role of the metadata'),
  table: name('A table of the metadata, such as `invoice` or `billing.invoice`'),
  operation: Type.Enum(ruleOperations),
};

export const ruleBody = body('RuleToExplain', rule);

export const accessBody = body('AccessToExplain', {
  ...rule,
  sessionVariables,
  key: Type.Optional(texts('The primary key of the row, as texts by column; not for an insert')),
  columns: Type.Optional(names('For a select: the columns to read; absent: none in particular')),
  values: Type.Optional(texts('For an insert or update: the values to write, as texts by column')),
});

export const queryBody = body('QueryToExplain', {
  role: name('A role of the metadata'),
  query: text({ description: 'A GraphQL document with a query' }),
  operationName: Type.Optional(name('The operation, if the document has several')),
  variables: Type.Optional(
    Type.Unsafe<Json>({ type: 'object', description: 'The variables of the query' }),
  ),
  sessionVariables,
  analyze: Type.Optional(
    Type.Boolean({
      description: 'Whether the query runs, so that times are measured; default: false',
    }),
  ),
});

export const matrixBody = body('MatrixFilter', {
  roles: Type.Optional(names('Only these roles')),
  tables: Type.Optional(names('Only these tables')),
});

const position = Type.Object(
  { file: Type.String(), line: Type.Integer(), column: Type.Integer() },
  { title: 'MetadataPosition' },
);

const parents = Type.Array(Type.String(), {
  description: "Roles from which it is inherited; empty if it is the role's own",
});

const column = Type.Object({
  name: Type.String({ description: 'The name; that of a computed field ends in `()`' }),
  rows: Type.Optional(
    Type.String({ description: 'The rows that show it, in words; absent: all rows of the rule' }),
  ),
  from: parents,
});

const entry = Type.Object(
  {
    role: Type.String(),
    table: Type.String({ description: 'Schema and name' }),
    operation: Type.Enum(ruleOperations),
    rows: Type.String({ description: 'The rows in words' }),
    check: Type.Optional(Type.String({ description: 'What an updated row must meet, in words' })),
    columns: Type.Array(column),
    presets: Type.Array(Type.String({ description: '`column = value`' })),
    isWhole: Type.Boolean({ description: 'Whether the rule covers all rows and all columns' }),
    aggregations: Type.Boolean(),
    limit: Type.Optional(Type.Integer({ description: 'Maximum number of rows of one field' })),
    backendOnly: Type.Boolean(),
    from: parents,
    position,
  },
  { title: 'MatrixEntry' },
);

export const ruleAnswer = Type.Object(
  {
    position,
    entry,
    objects: Type.Array(Type.Object({ label: Type.String(), sql: Type.String() })),
  },
  { title: 'ExplainedRule' },
);

const condition = Type.Object(
  {
    words: Type.String(),
    result: Type.Enum(['true', 'false', 'unknown']),
    values: Type.Object({}, { description: 'Values of the compared columns, as text or null' }),
    missing: Type.Array(Type.String(), { description: 'Headers of missing session variables' }),
    items: Type.Array(Type.Object({}), { description: 'The parts of the condition' }),
  },
  { title: 'EvaluatedCondition' },
);

export const access = {
  allowed: Type.Boolean(),
  reasons: Type.Array(Type.String(), { description: 'Sentences; the first is the outcome' }),
  refused: Type.Optional(
    Type.String({
      description:
        'The reason of a refusal as tests of rules name it; absent for an error that is no refusal',
    }),
  ),
  rule: Type.Optional(Type.Object({ position, rows: Type.String() })),
  refusedColumns: Type.Array(Type.String()),
  conditions: Type.Array(
    Type.Object({
      part: Type.Enum(['filter', 'select filter', 'check', 'column']),
      column: Type.Optional(Type.String()),
      condition,
    }),
  ),
};

export const accessAnswer = Type.Object(access, { title: 'ExplainedAccess' });

const planned = {
  sql: Type.String(),
  cost: Type.Object({
    estimated: Type.Number(),
    milliseconds: Type.Optional(Type.Number()),
    pages: Type.Optional(Type.Integer()),
  }),
  plan: Type.Object({}, { description: 'The plan in the JSON format of Postgres' }),
};

export const queryAnswer = Type.Array(
  Type.Object(
    {
      field: Type.String(),
      ...planned,
      withoutRules: Type.Optional(Type.Object(planned)),
      missingIndexes: Type.Array(
        Type.Object({
          schema: Type.String(),
          table: Type.String(),
          filter: Type.String(),
          rows: Type.Number(),
          columns: Type.Array(Type.String()),
        }),
      ),
    },
    { title: 'ExplainedField' },
  ),
);

export const matrixAnswer = Type.Object(
  {
    roles: Type.Array(Type.Object({ name: Type.String(), inherits: Type.Array(Type.String()) })),
    tables: Type.Array(Type.Object({ key: Type.String(), columns: Type.Array(Type.String()) })),
    entries: Type.Array(entry),
  },
  { title: 'Matrix' },
);

export const schemaAnswer = Type.Object(
  {
    schema: Type.Object({}, { description: 'The answer to introspection' }),
    variables: Type.Array(
      Type.Object({
        header: Type.String({ description: 'The header that holds the session variable' }),
        isRequired: Type.Boolean({ description: 'Whether each request in the role needs it' }),
      }),
    ),
    documents: Type.Array(
      Type.Object({
        name: Type.String({ description: '`collection/name`' }),
        text: Type.String({ description: 'A GraphQL document' }),
      }),
      { description: 'The documents of the allow-list that the role may run' },
    ),
  },
  { title: 'RoleSchema' },
);
