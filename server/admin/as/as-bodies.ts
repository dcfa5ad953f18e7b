import { Type } from 'typebox';
import { access, body, name, rule, sessionVariables, texts, textsOrNulls } from '../bodies.ts';

export const roleQuery = Type.Object(
  { role: name('A role of the metadata') },
  { title: 'RoleToActAs', additionalProperties: false },
);

export const roleAnswer = Type.Object(
  {
    variables: Type.Array(
      Type.Object({
        header: Type.String({ description: 'The name of the header, such as X-Gql-User-Id' }),
        isRequired: Type.Boolean({ description: 'Whether every request of the role needs it' }),
      }),
      { description: 'Session variables that the rules of the role read' },
    ),
    findsPeople: Type.Boolean({ description: 'Whether `/admin/as/people` finds people' }),
  },
  { title: 'RoleFacts' },
);

export const tableQuery = Type.Object(
  { role: rule.role, table: rule.table },
  { title: 'TableToLookAt', additionalProperties: false },
);

export const tableAnswer = Type.Object(
  {
    key: Type.String({ description: 'Schema and name' }),
    primaryKey: Type.Array(Type.String()),
    operations: Type.Array(rule.operation, { description: 'Those for which the role has a rule' }),
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String(),
        shown: Type.Enum(['all rows', 'some rows', 'no row'], {
          description: 'The visible rows in which the role reads the column',
        }),
        isInserted: Type.Boolean({ description: 'Whether the role may give it in an insert' }),
        isUpdated: Type.Boolean({ description: 'Whether the role may change it' }),
      }),
    ),
    relationships: Type.Array(
      Type.Object({
        name: Type.String(),
        kind: Type.Enum(['object', 'array']),
        table: Type.String({ description: 'Schema and name of the related table' }),
        columns: Type.Array(Type.Object({ local: Type.String(), remote: Type.String() })),
        isUsable: Type.Boolean({ description: 'Whether the role may follow it' }),
      }),
    ),
  },
  { title: 'TableFacts' },
);

export const peopleBody = body('PeopleToFind', {
  search: name('A part of the name, id or address of a person'),
});

export const peopleAnswer = Type.Object(
  {
    people: Type.Array(
      Type.Object({
        name: Type.String(),
        callers: Type.Array(
          Type.Object({
            role: Type.String(),
            sessionVariables: texts('Session variables by the names of their headers'),
          }),
          { description: 'One for each role of the person' },
        ),
      }),
      { description: 'At most 20' },
    ),
  },
  { title: 'FoundPeople' },
);

export const rowsBody = body('RowsToSee', {
  role: rule.role,
  table: rule.table,
  sessionVariables,
  match: Type.Optional(texts('Values that the rows have, as texts by column')),
  after: Type.Optional(texts('The primary key behind which the rows begin, as texts by column')),
  withHidden: Type.Optional(
    Type.Boolean({
      description:
        'Whether rows that the role does not see are listed, too; only with a primary key',
    }),
  ),
});

const seenRow = Type.Object(
  {
    key: texts('The primary key as texts by column; empty if the table has none'),
    isSeen: Type.Boolean({ description: 'Whether the role sees the row' }),
    values: Type.Array(Type.Union([Type.String(), Type.Null()]), {
      description:
        'The first 500 characters of the values as texts, in the order of the columns of `/admin/as/table`',
    }),
    hidden: Type.Array(Type.Integer(), {
      description: 'Positions of the values that the role does not get',
    }),
  },
  { title: 'SeenRow' },
);

export const rowsAnswer = Type.Object(
  {
    rows: Type.Array(seenRow, { description: 'At most 50, in the order of their keys' }),
    hasMore: Type.Boolean(),
  },
  { title: 'SeenRows' },
);

export const tryBody = body('OperationToTry', {
  ...rule,
  sessionVariables,
  key: Type.Optional(texts('The primary key of the row, as texts by column; not for an insert')),
  values: Type.Optional(
    textsOrNulls('For an insert or update: the values to write, as texts or null by column'),
  ),
});

export const tryAnswer = Type.Object(
  {
    ...access,
    row: Type.Optional(seenRow),
    test: Type.Optional(
      Type.String({ description: 'A file of tests that expect this outcome, as YAML' }),
    ),
  },
  { title: 'TriedOperation' },
);
