import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareRules } from '../../../../permissions/diff/rows/compare-rules.ts';
import { describeWitness } from '../../../../permissions/diff/rows/describe-witness.ts';
import type { Model } from '../../../../permissions/types/model.ts';
import type { Installation } from '../../support/installation.ts';
import { removeMetadata } from '../../support/metadata-files.ts';
import { openLibrary, rulesOf } from './library.ts';

const user = 'X-Gql-User-Id';
const branch = 'X-Gql-Library-Id';

/** The rule before and after, and the rows that are gained or lost. */
const changes: readonly (readonly [string, object, object, string, string?])[] = [
  [
    'a value in a list',
    { library_id: branch, status: { _in: ['open', 'late'] } },
    { library_id: branch, status: { _in: ['open', 'late', 'archived'] } },
    "gained: rows of loan where status is 'archived'",
  ],
  [
    'two values in a list',
    { status: { _in: ['open'] } },
    { status: { _in: ['open', 'late', 'archived'] } },
    "gained: rows of loan where status is 'late' or 'archived'",
  ],
  [
    'a dropped condition',
    { library_id: branch, status: 'open' },
    { library_id: branch },
    "gained: rows of loan where status is not 'open'",
  ],
  [
    'a dropped list',
    { library_id: branch, status: { _in: ['open', 'late'] } },
    { library_id: branch },
    "gained: rows of loan where status is neither 'open' nor 'late'",
  ],
  [
    'a dropped condition on the caller',
    { lent_by: user, status: 'open' },
    { status: 'open' },
    "gained: rows of loan where lent_by is null or not the caller's X-Gql-User-Id",
  ],
  [
    'two dropped conditions',
    { library_id: branch, status: 'open', is_lost: false },
    { library_id: branch },
    "gained: rows of loan where not (status is 'open' and is_lost is false)",
  ],
  [
    'a dropped truth value',
    { library_id: branch, is_lost: false },
    { library_id: branch },
    'gained: rows of loan where is_lost is not false',
  ],
  [
    'an enum',
    { grade: 'junior' },
    { grade: { _in: ['junior', 'chief'] } },
    "gained: rows of loan where grade is 'chief'",
  ],
  [
    'a raised limit',
    { days: { _lte: 10 } },
    { days: { _lte: 11 } },
    'gained: rows of loan where days is 11',
  ],
  [
    'a much raised limit',
    { days: { _lte: 10 } },
    { days: { _lte: 30 } },
    'gained: rows of loan where days is above 10 and at most 30',
  ],
  [
    'a dropped limit',
    { days: { _lte: 10 }, status: 'open' },
    { status: 'open' },
    'gained: rows of loan where days is null or above 10',
  ],
  [
    'a limit of decimals',
    { fee: { _lt: 10 } },
    { fee: { _lt: 20 } },
    'gained: rows of loan where fee is at least 10 and below 20',
  ],
  [
    'a limit of dates',
    { due: { _gte: '2025-01-01' } },
    { due: { _gte: '2024-01-01' } },
    "gained: rows of loan where due is at least '2024-01-01' and below '2025-01-01'",
  ],
  [
    'the current time',
    { lent_at: { _lt: 'now' } },
    {},
    'gained: rows of loan where lent_at is at least now',
  ],
  [
    'another column',
    { lent_by: user },
    { checked_by: user },
    "gained: rows of loan where checked_by is the caller's X-Gql-User-Id and (lent_by is null or not the caller's X-Gql-User-Id)",
    "lost: rows of loan where lent_by is the caller's X-Gql-User-Id and (checked_by is null or not the caller's X-Gql-User-Id)",
  ],
  [
    'nulls',
    { lent_by: { _neq: user, _is_null: false } },
    { lent_by: { _neq: user } },
    'gained: rows of loan where lent_by is null',
  ],
  [
    'a related condition',
    { library_id: branch, member: { is_active: true } },
    { library_id: branch, member: {} },
    'gained: rows of loan where member.is_active is not true',
  ],
  [
    'a related row',
    { member: { points: 3 } },
    {},
    'gained: rows of loan where not (member.points is 3)',
  ],
  [
    'a path of related rows',
    { member: { library: { is_open: true } } },
    { member: { library: {} } },
    'gained: rows of loan where member.library.is_open is false',
  ],
  [
    'a row of another table',
    { _exists: { _table: 'member', _where: { id: user, is_active: true } } },
    { _exists: { _table: 'member', _where: { id: user } } },
    'gained: rows of loan where member.is_active is not true',
  ],
  [
    'a variable that is no longer read',
    { _and: [{ status: 'a' }, { _or: [{ status: 'a' }, { lent_by: user }] }] },
    { status: 'a' },
    'gained: rows of loan, even without X-Gql-User-Id',
  ],
  [
    'a pattern',
    { note: { _like: 'ab%' } },
    { note: { _like: 'a%' } },
    "gained: rows of loan where not (note is like 'ab%') and note is like 'a%'",
  ],
  ['every row', { _or: [] }, {}, 'gained: every row of loan'],
  [
    'a new rule',
    { _or: [] },
    { library_id: branch, status: { _in: ['open', 'late'] } },
    "gained: rows of loan where library_id is the caller's X-Gql-Library-Id and status is one of ('open', 'late')",
  ],
  [
    'an added condition',
    { library_id: branch },
    { library_id: branch, status: { _neq: 'archived' } },
    "lost: rows of loan where status is 'archived'",
  ],
];

let library: Installation;
let model: Model;
beforeAll(async () => {
  const pairs = changes.map(([, before, after]) => ({ table: 'loan', before, after }));
  ({ library, model } = await openLibrary(pairs));
});
afterAll(async () => {
  await library.drop();
  await removeMetadata();
});

describe('the words for a counterexample', () => {
  test.each(changes.map(([what, , , gained, lost], index) => [what, index, gained, lost] as const))(
    'name what counts: %s',
    (_what, index, ...expected) => {
      const { before, after } = rulesOf(model, 'loan', index);
      const { gained, lost } = compareRules(before, after, { before: model, after: model });
      const words = [
        ...(gained ? [`gained: ${describeWitness(gained)}`] : []),
        ...(lost ? [`lost: ${describeWitness(lost)}`] : []),
      ];
      expect(words).toEqual(expected.filter((one) => one !== undefined));
    },
  );
});
