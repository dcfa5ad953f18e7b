import { expect, test } from 'vitest';
import { CommandError, MigrationError, RowgateError } from '../../permissions/index.ts';
import { CallerError } from '../../server/caller/authenticate.ts';
import { ProcessError } from '../../server/errors.ts';
import { RequestError } from '../../server/graphql/request-error.ts';
import { Refusal } from '../../server/http/answers/problem.ts';

const cause = new Error('below');
const problem = { status: 404, code: 'not-found', detail: 'there is no such file' };

test.each([
  [new ProcessError('RG_LISTEN', 'taken', { hint: 'h', cause }), 'RG_LISTEN', { hint: 'h' }, cause],
  [
    new RequestError('conflict', 'taken', '$.a', cause, 1),
    'conflict',
    { path: '$.a', retryAfter: 1 },
    cause,
  ],
  [new CallerError('access-denied', 'taken'), 'access-denied', undefined, undefined],
  [new Refusal(problem), 'not-found', problem, undefined],
  [new CommandError('RG_USAGE', 'taken', { exitCode: 2 }), 'RG_USAGE', { exitCode: 2 }, undefined],
  [new MigrationError('taken', cause), 'RG_MIGRATION', undefined, cause],
])('the error class %s has a code, details and a cause', (error, code, details, because) => {
  expect(error).toBeInstanceOf(RowgateError);
  expect([error.code, error.details, error.cause]).toEqual([code, details, because]);
});

test('a process error has exit code 1 by default', () => {
  expect(new ProcessError('RG_LISTEN', 'taken').exitCode).toBe(1);
  expect(new ProcessError('RG_USAGE', 'taken', { exitCode: 2 }).exitCode).toBe(2);
});
