import pg from 'pg';
import { expect, test } from 'vitest';
import { isRolledBack } from '../../../server/db/requests/outcome-unknown-error.ts';

const ofPostgres = (severity: string, code: string, routine = 'ProcessInterrupts') =>
  Object.assign(new pg.DatabaseError('x', 1, 'error'), { severity, code, routine });

test.each([
  ['a deferred constraint', ofPostgres('ERROR', '23503', 'ri_ReportViolation')],
  ['a trigger that is deferred', ofPostgres('ERROR', '57P01', 'exec_stmt_raise')],
])('a commit that fails by %s has kept nothing', (_, commit) => {
  expect(isRolledBack({ commit })).toBe(true);
});

test.each([
  ['a session that is ended', ofPostgres('FATAL', '57P01')],
  ['a session that is ended in Russian', ofPostgres('ВАЖНО', '57P01')],
  ['a log that cannot be written', ofPostgres('PANIC', '58030', 'issue_xlog_fsync')],
  ['a lost connection', new Error('Connection terminated unexpectedly')],
])('a commit that meets %s may have kept everything', (_, commit) => {
  expect(isRolledBack({ commit })).toBe(false);
  const statement = ofPostgres('ERROR', '23505', '_bt_check_unique');
  expect(isRolledBack({ before: [statement], commit })).toBe(true);
});
