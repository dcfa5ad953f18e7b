import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeRows } from '../../../permissions/expressions/describe.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { itemsBy, shopSchema } from './schema.ts';

let made: Installation;
beforeAll(async () => {
  made = await makeInstallation({ schema: shopSchema, rules: itemsBy('{}') });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

async function wordsFor(filter: string): Promise<string | undefined> {
  await made.rewrite(itemsBy(filter));
  const model = await made.model();
  const rule = model.roles.get('reader')?.tables.get('public.item')?.select;
  return rule && describeRows(rule.filter, model.headerPrefix);
}

describe('the description of a filter', () => {
  test.each([
    ['{}', 'all rows'],
    ['{ _or: [] }', 'no rows'],
    ["{ name: { _eq: it's } }", "rows where name is 'it''s'"],
    ['{ price: { _gt: 1, _lte: 10 } }', 'rows where price is above 1 and price is at most 10'],
    ['{ state: { _neq: sold } }', "rows where state is null or state is not 'sold'"],
    [
      '{ id: { _eq: 1 }, state: { _neq: sold } }',
      "rows where id is 1 and (state is null or state is not 'sold')",
    ],
    ['{ state: { _is_null: false } }', 'rows where state is not null'],
    ['{ state: { _in: [open, "a,b"] } }', "rows where state is one of ('open', 'a,b')"],
    ['{ state: { _nin: [sold] } }', "rows where state is not 'sold'"],
    ['{ id: { _in: X-Gql-Ids } }', "rows where id is one of the caller's X-Gql-Ids"],
    ['{ sold_at: { _lt: now } }', 'rows where sold_at is below now'],
    ['{ name: { _ilike: "a%" } }', "rows where name is, in any case, like 'a%'"],
    ['{ name: { _similar: "a|b" } }', "rows where name is similar to 'a|b'"],
    ['{ name: { _nsimilar: "a|b" } }', "rows where name is not similar to 'a|b'"],
    ['{ name: { _regex: "a|b" } }', "rows where name matches 'a|b'"],
    ['{ data: { _has_key: k } }', "rows where data has the key 'k'"],
    ['{ tags: { _contains: [new] } }', "rows where tags contains ('new')"],
    ['{ shop_id: { _ceq: other_shop_id } }', 'rows where shop_id is other_shop_id'],
    ['{ _not: { id: { _eq: 1 } } }', 'rows where not (id is 1)'],
    [
      '{ price: { _gt: 1 }, _or: [{ id: { _eq: 1 } }, { id: { _eq: 2 } }] }',
      'rows where price is above 1 and (id is 1 or id is 2)',
    ],
    ['{ shop: { name: { _eq: Corner } } }', "rows where shop.name is 'Corner'"],
    [
      '{ shop: { staffs: { person: { _eq: X-Gql-User-Id } } } }',
      "rows where shop.staffs has a row where person is the caller's X-Gql-User-Id",
    ],
    ['{ other_shop: {} }', 'rows where other_shop has a row'],
    [
      '{ other_shop: { closed_at: { _is_null: true } } }',
      'rows where other_shop has a row where closed_at is null',
    ],
    [
      '{ other_shop: { _not: { name: { _eq: Corner } } } }',
      "rows where other_shop has a row where not (name is 'Corner')",
    ],
    [
      '{ _exists: { _table: staff, _where: { shop_id: { _ceq: ["$", shop_id] }, person: { _eq: X-Gql-User-Id } } } }',
      "rows where staff has a row where (shop_id is the row's own shop_id and person is the caller's X-Gql-User-Id)",
    ],
  ])('of %s is: %s', async (filter, words) => {
    expect(await wordsFor(filter)).toBe(words);
  });
});
