import { expect, test } from 'vitest';
import { MetadataError, MigrationError } from '../../../permissions/index.ts';
import { exitCodeOf, failureText } from '../../../server/cli/failure.ts';
import { ProcessError } from '../../../server/errors.ts';

test('a failure that was foreseen is its code, its message and what to do', () => {
  const error = new ProcessError('RG_DATA_DIR', 'no room', { hint: 'make some' });
  expect(failureText(error, false)).toBe('rowgate: RG_DATA_DIR no room\n  make some');
});

test('mistakes in the metadata are told as they are', () => {
  const error = new MetadataError([
    {
      code: 'RG_SHAPE',
      severity: 'error',
      message: 'a list',
      position: { file: 'a.yaml', line: 2, column: 3 },
    },
  ]);
  expect(failureText(error, false)).toBe('a.yaml:2:3 RG_SHAPE a list');
});

test('a failed migration is told with its code', () => {
  expect(failureText(new MigrationError('0001 failed'), false)).toBe(
    'rowgate: RG_MIGRATION 0001 failed',
  );
});

test('a failure that was not foreseen is one line and the way to more', () => {
  expect(failureText(new TypeError('x is not a function'), false)).toBe(
    'rowgate: unexpected error: x is not a function\n  set ROWGATE_LOG_LEVEL=debug to see where it comes from',
  );
});

test('a failure that was not foreseen ends with 1', () => {
  expect(exitCodeOf('thrown text')).toBe(1);
});
