import { expect, test } from 'vitest';
import { MetadataError, MigrationError } from '../../../permissions/index.ts';
import { exitCodeOf, failureText } from '../../../server/cli/failure.ts';
import { ProcessError } from '../../../server/errors.ts';

test('an expected failure is printed with its code, message and hint', () => {
  const error = new ProcessError('RG_DATA_DIR', 'no room', { hint: 'make some' });
  expect(failureText(error, false)).toBe('rowgate: RG_DATA_DIR no room\n  make some');
});

test('mistakes in the metadata are printed unchanged', () => {
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

test('a failed migration is printed with its code', () => {
  expect(failureText(new MigrationError('0001 failed'), false)).toBe(
    'rowgate: RG_MIGRATION 0001 failed',
  );
});

test('an unexpected failure is printed with a hint how to see more', () => {
  expect(failureText(new TypeError('x is not a function'), false)).toBe(
    'rowgate: unexpected error: x is not a function\n  set ROWGATE_LOG_LEVEL=debug to see where it comes from',
  );
});

test('an unexpected failure has exit code 1', () => {
  expect(exitCodeOf('thrown text')).toBe(1);
});
