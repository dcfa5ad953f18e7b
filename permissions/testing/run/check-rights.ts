import { join, literal, sql } from '../../text/sql-text.ts';
import type { TableModel } from '../../types/tables.ts';
import type { ExpectedColumns, Principal, RightsTest } from '../suites/suite.ts';
import { differences, type Outcome, outcomeOf } from './outcome.ts';
import { relationOf, rulesOf } from './relations.ts';
import { ask, type Session } from './session.ts';

/** Checks the operations and columns that Postgres lets a role use, whatever the rows. */
export async function checkRights(
  { principal, table, rights }: RightsTest,
  session: Session,
): Promise<Outcome> {
  const rules = rulesOf(session, principal, table);
  const granted = await grantedColumns(principal, table, session);
  const hidden = new Set(rules?.hiddenKeys);
  // A rule without columns still grants one column, because a statement must name one.
  const found = {
    select: rules?.select && granted.select.filter((column) => !hidden.has(column)),
    insert: rules?.insert?.columns.length === 0 ? [] : granted.insert,
    update: rules?.update?.columns.length === 0 ? [] : granted.update,
  };
  const lines = (['select', 'insert', 'update'] as const).flatMap((operation) => {
    const columns = found[operation] ?? granted[operation];
    const isGranted = rules?.[operation] !== undefined || columns.length > 0;
    return compareColumns(operation, rights[operation], isGranted ? columns : undefined);
  });
  const aggregate = rules?.select?.allowAggregations === true;
  const more = [
    ...differ('delete', rights.delete, granted.delete),
    ...(rights.aggregate === undefined ? [] : differ('aggregate', rights.aggregate, aggregate)),
  ];
  return outcomeOf([...lines, ...more], false);
}

function compareColumns(
  operation: 'select' | 'insert' | 'update',
  expected: ExpectedColumns,
  found: ExpectedColumns,
): readonly string[] {
  if (expected === undefined && found === undefined) return [];
  if (expected === undefined) return [`may ${operation}, with the columns ${found?.join(', ')}`];
  if (found === undefined) return [`may not ${operation}`];
  return differences(expected, found, {
    extra: `may also ${operation} the columns`,
    missing: `may not ${operation} the columns`,
  });
}

function differ(operation: string, expected: boolean, found: boolean): readonly string[] {
  if (expected === found) return [];
  return [found ? `may ${operation}` : `may not ${operation}`];
}

/** Returns the columns on which the role of a principal has privileges, by operation. */
async function grantedColumns(principal: Principal, table: TableModel, session: Session) {
  const role = literal(principal.role.postgresName);
  const relation = (operation: 'select' | 'insert' | 'update' | 'delete') =>
    literal(relationOf(session, principal, table, operation).text);
  const columns = (['select', 'insert', 'update'] as const).map(
    (operation) => sql`
      select ${literal(operation)}, a.attname from pg_catalog.pg_attribute a
      where a.attrelid = ${relation(operation)}::pg_catalog.regclass and a.attnum > 0 and not a.attisdropped
        and pg_catalog.has_column_privilege(${role}, a.attrelid, a.attnum, ${literal(operation)})`,
  );
  const deleting = sql`
      select 'delete', null where pg_catalog.has_table_privilege(${role}, ${relation('delete')}, 'delete')`;
  // One statement for all, because a run of mutants asks thousands of times.
  const { rows } = await ask(session, join([...columns, deleting], ' union all '));
  const columnsOf = (operation: string) =>
    rows.flatMap(([granted, name]) =>
      granted === operation && typeof name === 'string' && table.columns.has(name) ? [name] : [],
    );
  return {
    select: columnsOf('select'),
    insert: columnsOf('insert'),
    update: columnsOf('update'),
    delete: rows.some(([granted]) => granted === 'delete'),
  };
}
