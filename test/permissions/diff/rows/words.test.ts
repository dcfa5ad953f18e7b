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
  ['a value in a list', { library_id: branch, status: { _in: ['open', 'late'] } }, { library_id: branch, status: { _in: ['open', 'late', 'archived'] } }, "gained: rows of loan where status is 'archived'"],
  ['two values in a list', { status: { _in: ['open'] } }, { status: { _in: ['open', 'late', 'archived'] } }, "x"],
  ['a dropped condition', { library_id: branch, status: 'open' }, { library_id: branch }, "x"],
  ['a dropped list', { library_id: branch, status: { _in: ['open', 'late'] } }, { library_id: branch }, "x"],
  ['a dropped condition on the caller', { lent_by: user, status: 'open' }, { status: 'open' }, "x"],
  ['two dropped conditions', { library_id: branch, status: 'open', is_lost: false }, { library_id: branch }, "x"],
  ['a dropped truth value', { library_id: branch, is_lost: false }, { library_id: branch }, "x"],
  ['an enum', { grade: 'junior' }, { grade: { _in: ['junior', 'chief'] } }, "x"],
  ['a raised limit', { days: { _lte: 10 } }, { days: { _lte: 11 } }, "x"],
  ['a much raised limit', { days: { _lte: 10 } }, { days: { _lte: 30 } }, "x"],
  ['a dropped limit', { days: { _lte: 10 }, status: 'open' }, { status: 'open' }, "x"],
  ['a limit of decimals', { fee: { _lt: 10 } }, { fee: { _lt: 20 } }, "x"],
  ['a limit of dates', { due: { _gte: '2025-01-01' } }, { due: { _gte: '2024-01-01' } }, "x"],
  ['the current time', { lent_at: { _lt: 'now' } }, {}, "x"],
  ['another column', { lent_by: user }, { checked_by: user }, "x"],
  ['nulls', { lent_by: { _neq: user, _is_null: false } }, { lent_by: { _neq: user } }, "x"],
  ['a related condition', { library_id: branch, member: { is_active: true } }, { library_id: branch, member: {} }, "x"],
  ['a related row', { member: { points: 3 } }, {}, "x"],
  ['a path of related rows', { member: { library: { is_open: true } } }, { member: { library: {} } }, "x"],
  ['a row of another table', { _exists: { _table: 'member', _where: { id: user, is_active: true } } }, { _exists: { _table: 'member', _where: { id: user } } }, "x"],
  ['a variable that is no longer read', { _and: [{ status: 'a' }, { _or: [{ status: 'a' }, { lent_by: user }] }] }, { status: 'a' }, "x"],
  ['a pattern', { note: { _like: 'ab%' } }, { note: { _like: 'a%' } }, "x"],
  ['every row', { _or: [] }, {}, "x"],
  ['a new rule', { _or: [] }, { library_id: branch, status: { _in: ['open', 'late'] } }, "x"],
  ['an added condition', { library_id: branch }, { library_id: branch, status: { _neq: 'archived' } }, "x"],
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
