import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeReviewPlace, type ReviewPlace } from './review-place.ts';

let place: ReviewPlace;
beforeAll(async () => {
  place = await makeReviewPlace(`
    create table doc (id integer primary key);
    create function open_docs() returns setof doc language sql stable as 'select * from doc';`);
});
afterAll(() => place.drop());

const table = 'table: doc\npermissions: { reader: { select: { filter: {}, columns: [id] } } }\n';

function findingsOf(roles: string, files: Readonly<Record<string, string>> = {}) {
  return place.findingsOf('RG_ROLE_WITHOUT_RULES', {
    'roles.yaml': `roles: { reader: {}, ${roles} }\n`,
    'tables/doc.yaml': table,
    ...files,
  });
}

test('check gives a notice of a role that no rule lets do anything', async () => {
  expect(await findingsOf('idle: {}')).toEqual([
    'roles.yaml:1:22 notice RG_ROLE_WITHOUT_RULES no rule lets idle do anything, and it inherits none; write rules for the role under permissions of a table, or remove it',
  ]);
});

test('check gives a notice of a role that inherits only from such a role', async () => {
  expect(await findingsOf('idle: {}, child: { inherits: [idle] }')).toHaveLength(2);
});

test('check gives no notice of a role that inherits rules', async () => {
  expect(await findingsOf('child: { inherits: [reader] }')).toEqual([]);
});

test('check gives no notice of a role that may only call an action', async () => {
  const actions =
    'actions: { ping: { type: query, output_type: "String!", handler: https://example.com, permissions: [caller] } }\n';
  expect(await findingsOf('caller: {}', { 'actions.yaml': actions })).toEqual([]);
});
