import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeReviewPlace, type ReviewPlace } from './review-place.ts';

let place: ReviewPlace;
beforeAll(async () => {
  place = await makeReviewPlace(`
    create table doc (id integer primary key);
    create view doc_list as select id from doc;`);
});
afterAll(() => place.drop());

function findingsOf(file: string, fields: string) {
  const select = `select: { filter: {}, columns: [id], ${fields} }`;
  return place.findingsOf('RG_NOT_LIVE', {
    'roles.yaml': 'roles: { reader: {} }\n',
    'tables/doc.yaml': `${file}\npermissions: { reader: { ${select} } }\n`,
  });
}

test('check gives a notice of a table that is not live and that a rule offers for subscriptions', async () => {
  expect(await findingsOf('table: doc', 'subscription_root_fields: [select_stream]')).toEqual([
    'tables/doc.yaml:1:8 notice RG_NOT_LIVE subscription_root_fields let reader watch public.doc, which is not live; write live: true in this file; until then each subscription is fetched every few seconds, and streams do not exist',
  ]);
});

test.each([
  ['a live table', 'table: doc\nlive: true', 'subscription_root_fields: [select]'],
  ['a view', 'table: doc_list', 'subscription_root_fields: [select]'],
  ['a table without subscriptions', 'table: doc', 'subscription_root_fields: []'],
  ['a table whose rules do not mention subscriptions', 'table: doc', 'allow_aggregations: true'],
])('check gives no such notice of %s', async (_what, file, fields) => {
  expect(await findingsOf(file, fields)).toEqual([]);
});
