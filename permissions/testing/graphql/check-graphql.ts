import type { TableModel } from '../../types/tables.ts';
import { insertedTexts } from '../run/check-writes.ts';
import { differences, type Outcome, outcomeOf } from '../run/outcome.ts';
import { rulesOf } from '../run/relations.ts';
import { type Session, textsOf, undone, variablesOf } from '../run/session.ts';
import type {
  DeleteTest,
  InsertTest,
  ListTest,
  MatrixTest,
  PermissionTest,
  Principal,
  RightsTest,
  UpdateTest,
} from '../suites/suite.ts';
import { fieldName, keyFilter, objectText } from './graphql-text.ts';
import type { GraphqlResult, RunGraphql } from './run-graphql.ts';

/**
 * Runs a test over GraphQL too. Undefined when GraphQL cannot express it: aggregates, and rows whose key the role does
 * not read.
 */
export async function checkGraphql(
  test: PermissionTest,
  session: Session,
  run: RunGraphql,
): Promise<Outcome | undefined> {
  switch (test.kind) {
    case 'may':
      return checkColumns(test, session, run);
    case 'matrix':
    case 'list':
      return readsKey(test, session) ? checkRows(test, session, run) : undefined;
    case 'aggregates':
      return undefined;
    case 'insert':
      return checkWrite(test, session, run);
    case 'update':
    case 'delete':
      return readsKey(test, session) ? checkWrite(test, session, run) : undefined;
  }
}

/** Returns whether a principal reads the key of a table in each row, and may list its rows. */
function readsKey({ principal, table }: PermissionTest, session: Session): boolean {
  const select = rulesOf(session, principal, table)?.select;
  if (!select || (select.queryFields && !select.queryFields.includes('select'))) return false;
  return (
    table.primaryKey.length > 0 &&
    table.primaryKey.every((key) => select.columns.includes(key) && !select.columnMasks.has(key))
  );
}

function ask(principal: Principal, query: string, session: Session, run: RunGraphql) {
  const variables = variablesOf(principal, session);
  return undone(session, () => run({ role: principal.role, variables, query }));
}

async function checkRows(
  test: MatrixTest | ListTest,
  session: Session,
  run: RunGraphql,
): Promise<Outcome | undefined> {
  const { principal, table } = test;
  const named = [...session.rows].filter(([, row]) => row.table.key === table.key);
  if (named.length === 0) return undefined;
  const expected =
    test.kind === 'list'
      ? test.rows.flatMap((row) => (row.kind === 'name' ? [row.name] : []))
      : named.flatMap(([name]) => (test.allowed.get(name)?.includes('select') ? [name] : []));
  const field = table.rootFields.select;
  const keys = table.primaryKey.map((key) => fieldName(table, key)).join(' ');
  // One field for each row, because GraphQL writes some keys in another way than Postgres.
  const fields = named.map(
    ([, { values }], index) =>
      `row${index}: ${field}(where: ${keyFilter(table, values)}) { ${keys} }`,
  );
  const result = await ask(principal, `{ ${fields.join(' ')} }`, session, run);
  if ('error' in result) return overGraphql([result.error]);
  const found = named.flatMap(([name], index) => {
    const rows = result.data[`row${index}`];
    return Array.isArray(rows) && rows.length > 0 ? [name] : [];
  });
  const words = { extra: 'also sees', missing: 'does not see' };
  return overGraphql(differences(expected, found, words), found.length > 0);
}

/** Checks which columns the schema of the role has, and whether it has aggregates. */
async function checkColumns(
  { principal, table, rights }: RightsTest,
  session: Session,
  run: RunGraphql,
): Promise<Outcome | undefined> {
  const fields = rulesOf(session, principal, table)?.select?.queryFields;
  if (fields && !fields.includes('select')) return undefined;
  const { select, select_aggregate: aggregates } = table.rootFields;
  const lines: string[] = [];
  for (const column of table.columns.keys()) {
    const query = `{ ${select}(limit: 0) { ${fieldName(table, column)} } }`;
    const isReadable = 'data' in (await ask(principal, query, session, run));
    const isExpected = rights.select?.includes(column) === true;
    if (isReadable && !isExpected) lines.push(`may also select the column ${column}`);
    if (!isReadable && isExpected) lines.push(`may not select the column ${column}`);
  }
  if (rights.aggregate !== undefined && (!fields || fields.includes('select_aggregate'))) {
    const query = `{ ${aggregates}(limit: 0) { aggregate { count } } }`;
    const may = 'data' in (await ask(principal, query, session, run));
    if (may !== rights.aggregate) lines.push(may ? 'may aggregate' : 'may not aggregate');
  }
  return overGraphql(lines);
}

async function checkWrite(
  test: InsertTest | UpdateTest | DeleteTest,
  session: Session,
  run: RunGraphql,
): Promise<Outcome | undefined> {
  const { table, principal } = test;
  const field = table.rootFields[test.kind];
  const arguments_ = argumentsOf(test, table, session);
  if (arguments_ === undefined) return undefined;
  const query = `mutation { ${field}(${arguments_}) { affected_rows } }`;
  const result = await ask(principal, query, session, run);
  const problem = problemOf(result, field);
  if (problem === undefined) {
    const lines = test.refused === undefined ? [] : [`the ${test.kind} is allowed`];
    return overGraphql(lines, test.refused === undefined);
  }
  const lines = test.refused === undefined ? [`the ${test.kind} is refused: ${problem}`] : [];
  return overGraphql(lines);
}

function argumentsOf(
  test: InsertTest | UpdateTest | DeleteTest,
  table: TableModel,
  session: Session,
): string | undefined {
  if (test.kind === 'insert') {
    const object = objectText(table, insertedTexts(test, session));
    return object && `objects: [${object}]`;
  }
  const values =
    test.row.kind === 'name'
      ? session.rows.get(test.row.name)?.values
      : textsOf(test.row.values, session);
  const where = `where: ${keyFilter(table, values ?? new Map())}`;
  if (test.kind === 'delete') return where;
  const set = objectText(table, textsOf(test.values, session));
  return set && `${where}, _set: ${set}`;
}

function problemOf(result: GraphqlResult, field: string): string | undefined {
  if ('error' in result) return result.error;
  const { affected_rows: count } = result.data[field] as { readonly affected_rows: number };
  return count === 0 ? 'no row was changed' : undefined;
}

function overGraphql(lines: readonly string[], isPositive = false): Outcome {
  return outcomeOf(
    lines.map((line) => `over GraphQL: ${line}`),
    isPositive,
  );
}
