import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { query } from '../../../support/query.ts';
import { dataOf } from '../support/data-of.ts';
import { errorOf } from '../support/error-of.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

const schema = `
create table stock (
  id integer primary key, code text, shop integer, owner text, amount integer not null default 0, note text, hidden text,
  changed_by text,
  constraint stock_code_key unique (code), constraint "stock shop-code" unique (shop, code),
  constraint stock_hidden_key unique (hidden)
);
create table keyless (label text, n integer);
`;

const metadata = {
  'roles.yaml': 'roles: { seller: {}, viewer: {}, appender: {}, lister: {} }\n',
  'tables/stock.yaml': `
table: stock
permissions:
  seller:
    select: { filter: { shop: { _eq: X-Gql-Shop } }, columns: [id, code, shop, owner, amount, note] }
    insert: { check: { shop: { _eq: X-Gql-Shop } }, columns: [id, code, shop, owner, amount, note, hidden] }
    update:
      filter: { owner: { _eq: X-Gql-User } }
      check: { amount: { _lt: 100 } }
      set: { changed_by: X-Gql-User }
      columns: [code, owner, amount, note, hidden]
  appender:
    select: { filter: {}, columns: [id, code] }
    insert: { check: {}, columns: [id, code] }
`,
  'tables/keyless.yaml': `
table: keyless
permissions:
  lister: { select: { filter: {}, columns: '*' }, insert: { check: {}, columns: '*' } }
`,
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  await asOwner(`truncate stock; insert into stock (id, code, shop, owner, amount, hidden) values
    (1, 'a', 1, 'ann', 10, 'h1'), (2, 'b', 1, 'bob', 20, 'h2'), (3, 'c', 2, 'ann', 30, 'h3')`);
});

const seller = { role: 'seller', variables: { Shop: '1', User: 'ann' } };

async function write(query: string, ask = {}) {
  return dataOf(await gateway.ask(`mutation ${query}`, ask));
}

const asOwner = (sql: string) => query<object>(gateway.database.ownerUrl, sql);

const rows = async () =>
  (await asOwner('select id, code, owner, amount, changed_by from stock order by id')).map((row) =>
    Object.values(row).join(' '),
  );

const insert = (
  objects: string,
  conflict: string,
  fields = 'affected_rows returning { id amount }',
) => `{ insert_stock(objects: ${objects}, on_conflict: {${conflict}}) { ${fields} } }`;

describe('an insert with on_conflict', () => {
  test('leaves a conflicting row unchanged and does not count it if update_columns is absent', async () => {
    const expected = { insert_stock: { affected_rows: 1, returning: [{ id: 9, amount: 5 }] } };
    const objects = '[{id: 1, amount: 99}, {id: 9, amount: 5}]';
    expect(await write(insert(objects, 'constraint: stock_pkey'))).toEqual(expected);
    expect(await rows()).toEqual(['1 a ann 10 ', '2 b bob 20 ', '3 c ann 30 ', '9   5 ']);
    expect(
      await write(
        '{ insert_stock_one(object: {id: 1}, on_conflict: {constraint: stock_pkey}) { id } }',
      ),
    ).toEqual({ insert_stock_one: null });
  });

  test('updates only the columns in update_columns of the conflicting row', async () => {
    const conflict = 'constraint: stock_code_key, update_columns: [amount, note]';
    expect(
      await write(
        insert('[{id: 8, code: "a", amount: 11, owner: "eve"}, {id: 9, code: "z"}]', conflict),
      ),
    ).toEqual({
      insert_stock: {
        affected_rows: 2,
        returning: [
          { id: 1, amount: 11 },
          { id: 9, amount: 0 },
        ],
      },
    });
    expect(await rows()).toEqual(['1 a ann 11 ', '2 b bob 20 ', '3 c ann 30 ', '9 z  0 ']);
  });

  test('accepts a constraint of several columns and of any name', async () => {
    const conflict = 'constraint: stock_shop_code, update_columns: amount';
    expect(await write(insert('{id: 9, shop: 2, code: "c", amount: 1}', conflict))).toEqual({
      insert_stock: { affected_rows: 1, returning: [{ id: 3, amount: 1 }] },
    });
  });

  test('updates only conflicting rows that satisfy where', async () => {
    const conflict = 'constraint: stock_pkey, update_columns: [amount], where: {amount: {_gt: 15}}';
    expect(await write(insert('[{id: 1, amount: 1}, {id: 2, amount: 2}]', conflict))).toEqual({
      insert_stock: { affected_rows: 1, returning: [{ id: 2, amount: 2 }] },
    });
  });

  test('accepts variables for the whole on_conflict and for its fields', async () => {
    const whole = `($o: [stock_insert_input!]!, $c: stock_on_conflict) {
      insert_stock(objects: $o, on_conflict: $c) { affected_rows } }`;
    const o = [{ id: 1, amount: 7 }];
    const c = {
      constraint: 'stock_pkey',
      update_columns: ['amount'],
      where: { amount: { _eq: 10 } },
    };
    const once = (affected_rows: number) => ({ insert_stock: { affected_rows } });
    expect(await write(whole, { with: { o, c } })).toEqual(once(1));
    expect(await write(whole, { with: { o, c } })).toEqual(once(0));
    expect(
      await write(whole, { with: { o, c: { ...c, where: {}, update_columns: 'amount' } } }),
    ).toEqual(once(1));
    expect(await write(whole, { with: { o, c: { constraint: 'stock_pkey' } } })).toEqual(once(0));
    expect(errorOf(await gateway.ask(`mutation ${whole}`, { with: { o } }))).toContain(
      'Uniqueness violation',
    );
    const parts = `($k: stock_constraint!, $u: [stock_update_column!]!) {
      insert_stock(objects: {id: 1, amount: 8, note: "n"}, on_conflict: {constraint: $k, update_columns: $u}) { returning { amount note } } }`;
    const asked = (k: string, u: string[]) => write(parts, { with: { k, u } });
    expect(await asked('stock_pkey', ['note'])).toEqual({
      insert_stock: { returning: [{ amount: 7, note: 'n' }] },
    });
    expect(await asked('stock_pkey', ['amount'])).toEqual({
      insert_stock: { returning: [{ amount: 8, note: 'n' }] },
    });
    expect(await asked('stock_pkey', [])).toEqual({ insert_stock: { returning: [] } });
  });

  test('is refused if two of its objects have the same key', async () => {
    const conflict = 'constraint: stock_pkey, update_columns: [amount]';
    expect(
      errorOf(
        await gateway.ask(
          `mutation ${insert('[{id: 7, amount: 1}, {id: 7, amount: 2}]', conflict)}`,
        ),
      ),
    ).toBe(
      'bad-request $.selectionSet.insert_stock.args.objects two of the objects are for the same row of the table',
    );
  });

  test('behaves like a plain insert if on_conflict is null', async () => {
    const query =
      'mutation { insert_stock(objects: {id: 1}, on_conflict: null) { affected_rows } }';
    expect(errorOf(await gateway.ask(query))).toContain('Uniqueness violation');
  });
});

describe('for a role with filters and checks, on_conflict', () => {
  test('updates conflicting rows that the role may update, and applies presets', async () => {
    const conflict = 'constraint: stock_pkey, update_columns: [amount]';
    expect(await write(insert('{id: 1, shop: 1, amount: 55}', conflict), seller)).toEqual({
      insert_stock: { affected_rows: 1, returning: [{ id: 1, amount: 55 }] },
    });
    expect(await rows()).toContain('1 a ann 55 ann');
  });

  test('ignores conflicting rows that the role may see but not update', async () => {
    const conflict = 'constraint: stock_pkey, update_columns: [amount]';
    const objects = '[{id: 2, shop: 1, amount: 55}, {id: 9, shop: 1, amount: 5}]';
    expect(await write(insert(objects, conflict), seller)).toEqual({
      insert_stock: { affected_rows: 1, returning: [{ id: 9, amount: 5 }] },
    });
    expect(await rows()).toContain('2 b bob 20 ');
  });

  test('ignores conflicting rows that the role may not see', async () => {
    const conflict = 'constraint: stock_pkey, update_columns: [amount]';
    expect(await write(insert('{id: 3, shop: 1, amount: 55}', conflict), seller)).toEqual({
      insert_stock: { affected_rows: 0, returning: [] },
    });
    expect(await write(insert('{id: 3, shop: 1}', 'constraint: stock_pkey'), seller)).toEqual({
      insert_stock: { affected_rows: 0, returning: [] },
    });
    expect(await rows()).toContain('3 c ann 30 ');
  });

  test('evaluates where only on rows that the role may update, so errors in where reveal no other rows', async () => {
    // Evaluating this condition on a row causes an error, which would show that the row was examined.
    const where = 'where: {_and: [{amount: {_gt: 5}}, {note: {_regex: "("}}]}';
    const conflict = `constraint: stock_pkey, update_columns: [amount], ${where}`;
    const upsert = (id: number) => insert(`{id: ${id}, shop: 1}`, conflict, 'affected_rows');
    for (const id of [2, 3]) {
      expect(await write(upsert(id), seller)).toEqual({ insert_stock: { affected_rows: 0 } });
    }
    await asOwner("update stock set note = 'x'");
    for (const id of [2, 3]) {
      expect(await write(upsert(id), seller)).toEqual({ insert_stock: { affected_rows: 0 } });
    }
    expect(errorOf(await gateway.ask(`mutation ${upsert(1)}`, seller))).toContain('data-exception');
  });

  test('is refused if the given row fails the insert check, even if its key exists', async () => {
    const conflict = 'constraint: stock_pkey, update_columns: [amount]';
    const failed =
      'permission-error $.selectionSet.insert_stock.args.objects check constraint of an insert/update permission has failed';
    const ask = async (objects: string, fields: string) =>
      errorOf(await gateway.ask(`mutation ${insert(objects, conflict, fields)}`, seller));
    expect(await ask('{id: 1, shop: 2, amount: 5}', 'affected_rows')).toContain(failed);
    expect(await ask('{id: 1, shop: 1, amount: 500}', 'affected_rows')).toContain(failed);
    expect(await rows()).toContain('1 a ann 10 ');
  });

  test('accepts all constraints, and in update_columns the columns that the role may update', async () => {
    const { data } = await gateway.ask(
      `{ c: __type(name: "stock_constraint") { enumValues { name } } u: __type(name: "stock_update_column") { enumValues { name } } }`,
      seller,
    );
    const names = (type: { enumValues: { name: string }[] }) =>
      type.enumValues.map(({ name }) => name);
    expect(names(data.c)).toEqual([
      'stock_code_key',
      'stock_hidden_key',
      'stock_pkey',
      'stock_shop_code',
    ]);
    expect(names(data.u)).toEqual(['amount', 'code', 'hidden', 'note', 'owner']);
  });

  test('can only ignore conflicting rows if the role has no update rule', async () => {
    const appender = { role: 'appender' };
    const found = '{id: 1, code: "n"}';
    const fields = 'affected_rows';
    expect(await write(insert(found, 'constraint: stock_pkey', fields), appender)).toEqual({
      insert_stock: { affected_rows: 0 },
    });
    expect(
      await write(insert(found, 'constraint: stock_pkey, update_columns: []', fields), appender),
    ).toEqual({ insert_stock: { affected_rows: 0 } });
    const placeholder = insert(
      found,
      'constraint: stock_pkey, update_columns: [_PLACEHOLDER]',
      fields,
    );
    expect(errorOf(await gateway.ask(`mutation ${placeholder}`, appender))).toBe(
      'validation-failed $.selectionSet.insert_stock.args.on_conflict erroneous column name',
    );
    const id = insert(found, 'constraint: stock_pkey, update_columns: [code]', fields);
    expect(errorOf(await gateway.ask(`mutation ${id}`, appender))).toContain(
      "expected one of the values ['_PLACEHOLDER'] for type 'stock_update_column', but found 'code'",
    );
  });

  test('does not exist on a table without unique constraints', async () => {
    const keyless =
      'mutation { insert_keyless_one(object: {n: 1}, on_conflict: {constraint: x}) { n } }';
    expect(errorOf(await gateway.ask(keyless, { role: 'lister' }))).toBe(
      `validation-failed $.selectionSet.insert_keyless_one 'insert_keyless_one' has no argument named 'on_conflict'; it does not exist or role "lister" has no permission for it`,
    );
  });
});
