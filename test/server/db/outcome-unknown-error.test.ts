import pg from 'pg';
import { expect, test } from 'vitest';
import { isRolledBack } from '../../../server/db/requests/outcome-unknown-error.ts';

const ofPostgres = (severity: string, code: string, routine = 'ProcessInterrupts') =>
  Object.assign(new pg.DatabaseError('x', 1, 'error'), { severity, code, routine });

test.each([
  ['a deferred constraint', ofPostgres('ERROR', '23503', 'ri_ReportViolation')],
  ['a deferred trigger', ofPostgres('ERROR', '57P01', 'exec_stmt_raise')],
])('a commit that fails because of %s is reported as rolled back', (_, commit) => {
  expect(isRolledBack({ commit })).toBe(true);
});

test.each([
  ['the end of its session before the answer', ofPostgres('FATAL', '57P01')],
  ['the end of its session, reported in Russian', ofPostgres('ВАЖНО', '57P01')],
  ['a log that cannot be written', ofPostgres('PANIC', '58030', 'issue_xlog_fsync')],
  ['a lost connection', new Error('Connection terminated unexpectedly')],
])('a commit after %s is reported as one with an unknown outcome', (_, commit) => {
  expect(isRolledBack({ commit })).toBe(false);
  const statement = ofPostgres('ERROR', '23505', '_bt_check_unique');
  expect(isRolledBack({ before: [statement], commit })).toBe(true);
});
