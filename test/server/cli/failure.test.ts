import { expect, test } from 'vitest';
import { MetadataError, MigrationError } from '../../../permissions/index.ts';
import { exitCodeOf, failureText } from '../../../server/cli/failure.ts';
import { ProcessError } from '../../../server/errors.ts';

test('the program prints an expected failure with its code, message and hint', () => {
  const error = new ProcessError('RG_DATA_DIR', 'no room', { hint: 'make some' });
  expect(failureText(error, false)).toBe('rowgate: RG_DATA_DIR no room\n  make some');
});

test('the program prints mistakes in the metadata unchanged', () => {
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

test('the program prints a failed migration with its code', () => {
  expect(failureText(new MigrationError('0001 failed'), false)).toBe(
    'rowgate: RG_MIGRATION 0001 failed',
  );
});

test('the program prints a hint how to get more details about an unexpected failure', () => {
  expect(failureText(new TypeError('x is not a function'), false)).toBe(
    'rowgate: unexpected error: x is not a function\n  set ROWGATE_LOG_LEVEL=debug to see where it comes from',
  );
});

test('the program exits with 1 after an unexpected failure', () => {
  expect(exitCodeOf('thrown text')).toBe(1);
});
