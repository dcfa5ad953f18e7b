import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeReviewPlace, type ReviewPlace } from './review-place.ts';

let place: ReviewPlace;
beforeAll(async () => {
  place = await makeReviewPlace(`
    create table coin (code text primary key, price numeric not null, retired boolean);
    create table doc (id integer primary key, org_id integer not null, state text);`);
});
afterAll(() => place.drop());

interface Rules {
  readonly roles?: string;
  readonly coin?: string;
  readonly doc?: string;
}

const everyRow = '{ select: { filter: {}, columns: [code] } }';

function findingsOf({ roles = 'member: {}, clerk: {}', coin = '', doc = '' }: Rules) {
  return place.findingsOf('RG_ALL_ROWS', {
    'roles.yaml': `roles: { ${roles} }\n`,
    'tables/coin.yaml': `table: coin\n${coin}`,
    'tables/doc.yaml': `table: doc\n${doc}`,
  });
}

const docRules = (rules: string) => `permissions:\n  member:\n    ${rules}\n`;

test('one notice stands for all rules for every row in a project that declares none', async () => {
  const found = await findingsOf({
    coin: `permissions: { member: ${everyRow}, clerk: ${everyRow} }\n`,
    doc: docRules('select: { filter: {}, columns: [id] }'),
  });
  expect(found).toEqual([
    'roles.yaml:1:10 notice RG_ALL_ROWS rules let every row through for member (coin and doc) and clerk (coin); declare all_rows: true for the roles and tables for which that is intended; check then warns of all others',
  ]);
});

test('check warns about each rule for every row outside the declared roles and tables', async () => {
  const found = await findingsOf({
    roles: 'member: {}, clerk: { all_rows: true }',
    coin: `permissions: { member: ${everyRow}, clerk: ${everyRow} }\n`,
  });
  expect(found).toEqual([
    'tables/coin.yaml:2:26 warning RG_ALL_ROWS member may see any row of public.coin; write a condition; or declare all_rows: true for the role in roles.yaml, or for the table if every role may see its rows',
  ]);
});

test('a declared table may be seen by every role, but written by none', async () => {
  const found = await findingsOf({
    coin: `all_rows: true\npermissions: { member: { select: { filter: {}, columns: [code] }, update: { filter: {}, columns: [price] } } }\n`,
  });
  expect(found).toEqual([
    'tables/coin.yaml:3:67 warning RG_ALL_ROWS member may update any row of public.coin; write a condition; or declare all_rows: true for the role in roles.yaml',
  ]);
});

test('a declaration does not reach inheriting roles', async () => {
  const found = await findingsOf({
    roles: 'member: {}, clerk: { all_rows: true }, chief: { inherits: [clerk] }',
    coin: `permissions: { clerk: ${everyRow} }\n`,
  });
  expect(found).toEqual([expect.stringMatching(/ chief may see any row of public.coin;/)]);
});

test('a rule that several roles inherit is reported once, for its own role', async () => {
  const found = await findingsOf({
    roles: 'chief: { inherits: [member] }, member: { all_rows: false }',
    coin: `permissions: { member: ${everyRow} }\n`,
  });
  expect(found).toEqual([expect.stringMatching(/ member may see any row of public.coin;/)]);
});

const declared = 'member: {}, clerk: { all_rows: true }';

describe('check warns when the condition of a rule always holds, as', () => {
  test.each([
    [
      'an _is_null of a column that is never null',
      'select: { filter: { id: { _is_null: false } }, columns: [id] }',
      'see',
    ],
    [
      'alternatives that cover every value',
      'delete: { filter: { _or: [{ id: { _gt: 1 } }, { id: { _lte: 1 } }] } }',
      'delete',
    ],
    ['an empty _and', 'update: { filter: { _and: [] }, columns: [state] }', 'update'],
    ['an insert check without presets', 'insert: { check: {}, columns: [id] }', 'insert'],
  ])('%s', async (_what, rules, verb) => {
    expect(await findingsOf({ roles: declared, doc: docRules(rules) })).toEqual([
      expect.stringMatching(new RegExp(` member may ${verb} any row of public.doc;`)),
    ]);
  });
});

describe('check does not warn about', () => {
  test.each([
    ['a condition on the caller', 'select: { filter: { org_id: X-Gql-Org }, columns: [id] }'],
    [
      'an _is_null of a column that may be null',
      'select: { filter: { state: { _is_null: false } }, columns: [id] }',
    ],
    [
      'alternatives that leave out null',
      'select: { filter: { _or: [{ state: { _gt: a } }, { state: { _lte: a } }] }, columns: [id] }',
    ],
    [
      'an insert check whose preset binds the row',
      'insert: { check: {}, set: { org_id: X-Gql-Org }, columns: [id] }',
    ],
    ['a condition that no row meets', 'select: { filter: { _or: [] }, columns: [id] }'],
  ])('%s', async (_what, rules) => {
    expect(await findingsOf({ roles: declared, doc: docRules(rules) })).toEqual([]);
  });
});
