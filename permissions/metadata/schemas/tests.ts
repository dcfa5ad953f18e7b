import { type Static, Type } from 'typebox';
import { quote } from '../../text/characters.ts';
import { decoded, list, map, node, object, optional, type Place, placed } from '../shape/shape.ts';
import { name, trueOrFalse, whole } from './primitives.ts';
import { tableName } from './tables/table-reference.ts';
import { columns } from './tables/table-rules.ts';

/** The operations that a matrix tests on each row. */
export const rowOperations = ['select', 'update', 'delete'] as const;

export type RowOperation = (typeof rowOperations)[number];

/** The reasons for which a write is refused. */
export const refusals = {
  operation: 'the role has no rule for the operation',
  column: 'the rule does not let the role write one of the columns',
  preset: 'the rule itself sets one of the columns',
  row: 'the filter of the rule hides the row',
  check: 'the new row does not pass the check, or refers to a row that the role does not see',
  variable: 'a session variable that a preset needs is missing',
  constraint: 'a constraint of the table refuses the row',
  trigger: 'a trigger of the table refuses the row',
} as const;

export type Refusal = keyof typeof refusals;

const anyMap = (title: string, description: string) =>
  node(Type.Object({}, { title, description, additionalProperties: true }));

const values = (description: string) => anyMap('a map of columns to values', description);

const rowReference = node(
  Type.Unknown({
    title: 'the name of a row, or its key',
    description: 'The name of a row under fixtures or existing, or the primary key of a row.',
  }),
);

const principal = object(
  {
    role: name('the name of a role'),
    variables: optional(
      map(node(Type.Unknown()), {
        title: 'a map of session variables to values',
        description: 'e.g. X-Gql-User-Id: 7. A list is passed as an array.',
      }),
      [],
    ),
  },
  { title: 'a map with role and variables', description: 'A caller: a role with variables.' },
);

const principals = map(principal, {
  title: 'a map of names to principals',
  description: 'The callers of the tests, by name.',
});

const rowsByTable = (title: string, description: string, row: ReturnType<typeof node>) =>
  optional(map(map(row, { title: 'a map of names to rows' }), { title, description }), []);

const byPrincipal = <S extends Parameters<typeof map>[0]>(
  value: S,
  title: string,
  description: string,
) => optional(map(value, { title: `a map of principals to ${title}`, description }));

const may = object(
  {
    select: optional(columns),
    insert: optional(columns),
    update: optional(columns),
    delete: optional(trueOrFalse('Whether the role has a rule to delete.'), false),
    aggregate: optional(trueOrFalse('Whether the role may aggregate over GraphQL.')),
  },
  { title: 'a map with select, insert, update, delete and aggregate' },
);

const perColumn = (what: string) =>
  optional(values(`The ${what} of columns over the rows that the principal sees.`));

const aggregates = object(
  {
    count: optional(whole(0, 2147483647, 'The number of rows that the principal sees.')),
    sum: perColumn('sums'),
    min: perColumn('lowest values'),
    max: perColumn('highest values'),
  },
  { title: 'a map with count, sum, min and max' },
);

const kinds = ['may', 'matrix', 'list', 'aggregates', 'insert', 'update', 'delete'] as const;

const test = decoded(
  object(
    {
      test: name('a title: a fact in one sentence'),
      table: optional(tableName),
      as: optional(name('the name of a principal')),
      may: byPrincipal(
        may,
        'operations',
        'The operations of a principal with their columns. An operation that is not listed is refused.',
      ),
      matrix: byPrincipal(
        map(
          list(Type.Enum([...rowOperations], { title: 'select, update or delete' }), {
            title: 'a list of select, update and delete',
          }),
          { title: 'a map of rows to operations' },
        ),
        'rows and operations',
        'What a principal may do with each row of the file. Rows and operations that are not listed are refused.',
      ),
      list: byPrincipal(
        list(rowReference, { title: 'a list of rows' }),
        'rows',
        'The rows that a principal sees, and no others.',
      ),
      aggregates: byPrincipal(aggregates, 'aggregates', 'Aggregates as a principal computes them.'),
      insert: optional(values('A row that the principal inserts.')),
      update: optional(rowReference),
      set: optional(values('The columns that the update changes.')),
      delete: optional(rowReference),
      refused: optional(
        Type.Enum(Object.keys(refusals) as Refusal[], {
          title: Object.keys(refusals).join(', '),
          description: 'The reason for which the write is refused. Absent: the write succeeds.',
        }),
      ),
      written: optional(values('Values of the written row, as the owner reads them afterwards.')),
    },
    { title: 'a test' },
  ),
  (raw, place) => {
    reportKind(raw, place);
    return { ...raw, position: place.node.position };
  },
);

/** Reports a test that is not exactly one kind of test, or that has keys of another kind. */
function reportKind(raw: Readonly<Record<string, unknown>>, { node: { position }, report }: Place) {
  const given = kinds.filter((kind) => raw[kind] !== undefined);
  const [kind] = given;
  const refuse = (message: string, hint: string) =>
    report.error('RG_TEST', position, message, hint);
  if (given.length !== 1) {
    const has = given.length === 0 ? 'none of them' : given.map(quote).join(' and ');
    refuse(`a test must have one of ${kinds.join(', ')}, but has ${has}`, 'split or complete it');
    return;
  }
  const isWrite = kind === 'insert' || kind === 'update' || kind === 'delete';
  if (isWrite && raw.as === undefined) refuse(`${kind} needs "as"`, 'add as: and a principal');
  const others = [
    ...(isWrite ? [] : (['as', 'refused'] as const)),
    ...(kind === 'update' ? [] : (['set'] as const)),
    ...(isWrite && kind !== 'delete' && raw.refused === undefined ? [] : (['written'] as const)),
  ].filter((key) => raw[key] !== undefined);
  for (const key of new Set(others)) {
    refuse(`"${key}" has no effect in this test`, `leave "${key}" out`);
  }
}

/** The schema of a file of permission tests. */
export const testsFile = object(
  {
    table: optional(tableName),
    uses: optional(
      list(name('the name of a test file without .yaml'), {
        title: 'a list of files',
        description: 'Files of the same folder, whose principals and rows this file uses.',
      }),
      [],
    ),
    now: optional(
      placed(
        Type.String({
          title: 'a time such as "2025-06-14T12:00:00Z"',
          description: 'The time that rules with now see.',
          pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?Z$',
        }),
      ),
    ),
    triggers: optional(
      trueOrFalse('Whether triggers of the user run while fixtures are inserted; default true.'),
      true,
    ),
    principals: optional(principals, []),
    existing: rowsByTable(
      'a map of tables to rows',
      'Names for rows of the database, by table: each the primary key of a row.',
      node(Type.Unknown()),
    ),
    fixtures: rowsByTable(
      'a map of tables to rows',
      'Rows that are inserted in this order before the tests. "_like: name" copies another row first.',
      values('The columns of a row.'),
    ),
    tests: optional(list(test, { title: 'a list of tests' }), []),
  },
  { title: 'a map with table, uses, now, triggers, principals, existing, fixtures and tests' },
);

export type RawTestsFile = Static<typeof testsFile>;
export type RawTest = Static<typeof test>;
export type RawMay = Static<typeof may>;
export type RawAggregates = Static<typeof aggregates>;
