import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { someoneWaits } from '../../../permissions/support/waiting.ts';
import { dataOf } from '../support/data-of.ts';
import { errorOf } from '../support/error-of.ts';
import { type Ask, type Gateway, startGateway } from '../support/gateway.ts';

const schema = `
create schema crm;
create table crm.lead (
  id integer primary key, name text unique, by text, note text, n integer not null default 0, shown text,
  constraint lead_by_note_key unique (by, note)
);
create table crm.step (id integer primary key, lead_id integer references crm.lead, word text);
create table crm.single (id integer primary key default 1, word text);
create table crm.badge (code integer generated always as (n * 2) stored primary key, n integer);
create table crm.account (id integer primary key, secret text);
create function hide() returns trigger language plpgsql as $$ begin new.secret := md5(new.secret); return new; end $$;
create trigger hide before insert on crm.account for each row execute function hide();
create table calls (what text);
create function record_call() returns trigger language plpgsql security definer as
  $$ begin insert into public.calls values (concat_ws(' ', tg_op, new.id)); return null; end $$;
create trigger record_call after insert or update on crm.lead for each row execute function record_call();
`;

const metadata = {
  'roles.yaml':
    'roles: { adder: {}, sales: {}, half: {}, nester: {}, namer: {}, inheriting: { inherits: [adder, namer] } }\n',
  'tables/lead.yaml': `
table: crm.lead
graphql: { name: lead }
permissions:
  adder: { insert: { check: { n: { _lt: 10 } }, columns: [id, name, note, n], set: { by: X-Gql-User } } }
  namer: { select: { filter: { n: { _lt: 100 } }, columns: [name] } }
  sales:
    insert: { check: { n: { _lt: 10 } }, columns: [id, name, note, n], set: { by: X-Gql-User } }
    update: { filter: { by: { _eq: X-Gql-User } }, check: { name: { _neq: '' } }, columns: [name, note, n, by], set: { shown: changed } }
  nester:
    select: { filter: {}, columns: [id] }
    insert: { check: {}, columns: [id, name] }
    update: { filter: {}, columns: [note] }
  half:
    select: { filter: { n: { _lt: 100 } }, columns: [name, n] }
    insert: { check: {}, columns: [id, name, n] }
    update: { filter: { n: { _gt: 0 } }, columns: [n, note] }
`,
  'tables/step.yaml': `
table: crm.step
graphql: { name: step }
relationships: { lead: { table: crm.lead, columns: { lead_id: id }, kind: object } }
permissions:
  nester: { select: { filter: {}, columns: '*' }, insert: { check: {}, columns: '*' } }
`,
  'tables/single.yaml': `
table: crm.single
graphql: { name: single }
permissions:
  sales: { insert: { check: {}, columns: [word] }, update: { filter: {}, columns: [word] } }
`,
  'tables/account.yaml': `
table: crm.account
graphql: { name: account }
permissions:
  sales: { insert: { check: {}, columns: '*' }, update: { filter: {}, columns: [secret] } }
`,
  'tables/badge.yaml': `
table: crm.badge
graphql: { name: badge }
permissions:
  sales: { insert: { check: {}, columns: [n] }, update: { filter: {}, columns: [n] } }
`,
};

let gateway: Gateway;
let owner: Awaited<ReturnType<Gateway['database']['connectOwner']>>;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
  owner = await gateway.database.connectOwner();
});
afterAll(async () => {
  await owner.end();
  await gateway.stop();
});
beforeEach(async () => {
  await asOwner(`truncate crm.lead, crm.step, crm.single, crm.account, crm.badge, calls; insert into crm.lead (id, name, by, n, note) values
    (1, 'a', 'ann', 1, 'q'), (2, 'b', 'bob', 2, 'q'), (3, 'c', 'cy', 100, 'q'); truncate calls`);
});

const as = (role: string, variables: Ask['variables'] = { User: 'ann' }): Ask => ({
  role,
  ...(variables && { variables }),
});

async function asOwner(sql: string) {
  const { rows } = await owner.query({ text: sql, rowMode: 'array' });
  return rows;
}

async function write(query: string, asked: Ask) {
  return Object.values(dataOf(await gateway.ask(`mutation { ${query} }`, asked)))[0];
}

const refused = async (query: string, asked: Ask) =>
  errorOf(await gateway.ask(`mutation { ${query} }`, asked));

const insert = (objects: string, conflict: string, fields = 'affected_rows') =>
  `insert_lead(objects: ${objects}, on_conflict: {constraint: ${conflict}}) { ${fields} }`;

const leads = async () =>
  (await asOwner('select id, name, by, note, n, shown from crm.lead order by id')).map((row) =>
    row.join(' '),
  );
const initialLeads = ['1 a ann q 1 ', '2 b bob q 2 ', '3 c cy q 100 '];

describe('for a role that may insert but not read a table, on_conflict', () => {
  test('ignores a row whose key already exists in the table or in an earlier row of the list', async () => {
    const objects = '[{id: 1, name: "z"}, {id: 7, note: "x"}, {id: 7, note: "y"}, {id: 8, n: 3}]';
    expect(await write(insert(objects, 'lead_pkey'), as('adder'))).toEqual({ affected_rows: 2 });
    expect(await leads()).toEqual([...initialLeads, '7  ann x 0 ', '8  ann  3 ']);
    expect(await asOwner('table calls')).toEqual([['INSERT 7'], ['INSERT 8']]);
  });

  test('accepts every constraint, and no column in update_columns', async () => {
    const { data } = await gateway.ask(
      '{ c: __type(name: "lead_constraint") { enumValues { name } } u: __type(name: "lead_update_column") { enumValues { name } } }',
      as('adder'),
    );
    expect(data.c.enumValues.map(({ name }: { name: string }) => name)).toEqual([
      'lead_by_note_key',
      'lead_name_key',
      'lead_pkey',
    ]);
    expect(data.u.enumValues).toEqual([{ name: '_PLACEHOLDER' }]);
    expect(
      await refused(insert('{id: 1}', 'lead_pkey, update_columns: [_PLACEHOLDER]'), as('adder')),
    ).toBe('validation-failed $.selectionSet.insert_lead.args.on_conflict erroneous column name');
  });

  test('causes an error and a rollback if a row violates another constraint than the named one', async () => {
    const objects = '[{id: 8}, {id: 9, name: "a"}]';
    expect(await refused(insert(objects, 'lead_pkey'), as('adder'))).toBe(
      'constraint-violation $.selectionSet.insert_lead.args.objects Uniqueness violation. duplicate key value violates unique constraint "lead_name_key"',
    );
    expect(await leads()).toEqual(initialLeads);
  });

  test('does not reveal whether a key exists, since a row that fails the check is refused either way', async () => {
    const failed =
      'permission-error $.selectionSet.insert_lead.args.objects check constraint of an insert/update permission has failed';
    const plain = 'insert_lead(objects: {id: 1, n: 10}) { affected_rows }';
    expect(await refused(plain, as('adder'))).toBe(failed);
    for (const id of [1, 9]) {
      const upsert = insert(`{id: ${id}, n: 10}`, 'lead_pkey');
      expect(await refused(upsert, as('adder'))).toBe(failed);
      expect(await refused(insert(`{id: ${id}}`, 'lead_pkey'), as('adder', {}))).toBe(
        'not-found $ missing session variable: "x-gql-user"',
      );
    }
  });

  test('waits for a concurrent transaction that writes the same key, and then ignores the row', async () => {
    const rival = await gateway.database.connectOwner();
    onTestFinished(() => rival.end());
    await rival.query("begin; insert into crm.lead (id, by) values (9, 'eve')");
    const asked = write(insert('{id: 9}', 'lead_pkey'), as('adder'));
    await expect.poll(() => someoneWaits(rival)).toBe(true);
    await rival.query('commit');
    expect(await asked).toEqual({ affected_rows: 0 });
  });

  test('accepts variables', async () => {
    const query = `mutation ($o: [lead_insert_input!]!, $c: lead_on_conflict) { insert_lead(objects: $o, on_conflict: $c) { affected_rows } }`;
    const o = [{ id: 1 }, { id: 4, name: '"\\{}\'$1' }];
    const c = { constraint: 'lead_pkey' };
    const { data } = await gateway.ask(query, { ...as('adder'), with: { o, c } });
    expect(data).toEqual({ insert_lead: { affected_rows: 1 } });
    expect(await leads()).toContain('4 "\\{}\'$1 ann  0 ');
  });
});

describe('for a role that may insert and update but not read a table, on_conflict', () => {
  const upsert = (object: string, columns: string, constraint = 'lead_pkey') =>
    insert(object, `${constraint}, update_columns: [${columns}]`);

  test('updates the conflicting row, with the presets of the update rule, only if this rule allows it', async () => {
    const objects = '[{id: 1, name: "z", n: 5}, {id: 2, name: "y", n: 5}, {id: 9, name: "x"}]';
    expect(await write(upsert(objects, 'name, note'), as('sales'))).toEqual({ affected_rows: 2 });
    expect(await leads()).toEqual([
      '1 z ann  1 changed',
      '2 b bob q 2 ',
      '3 c cy q 100 ',
      '9 x ann  0 ',
    ]);
    expect(await asOwner('table calls')).toEqual([['UPDATE 1'], ['INSERT 9']]);
  });

  test('refuses the upsert if the updated row fails the update check', async () => {
    expect(await refused(upsert('{id: 1, name: ""}', 'name'), as('sales'))).toContain(
      'permission-error $.selectionSet.insert_lead.args.objects check constraint',
    );
    expect(await leads()).toEqual(initialLeads);
  });

  test('finds the conflicting row by a key of which the insert rule presets one column', async () => {
    const object = '{id: 9, note: "q", n: 7}';
    expect(await write(upsert(object, 'n', 'lead_by_note_key'), as('sales'))).toEqual({
      affected_rows: 1,
    });
    expect(await leads()).toContain('1 a ann q 7 changed');
  });

  test('causes a violation of the unique key if the client has not provided the key', async () => {
    const upsert =
      'insert_single(objects: {word: "x"}, on_conflict: {constraint: single_pkey, update_columns: word}) { affected_rows }';
    expect(await write(upsert, as('sales'))).toEqual({ affected_rows: 1 });
    expect(await refused(upsert, as('sales'))).toContain('"single_pkey"');
  });

  test('causes an error if the update or the insert violates another unique key', async () => {
    for (const object of ['{id: 1, name: "b"}', '{id: 9, name: "b"}']) {
      expect(await refused(upsert(object, 'name'), as('sales'))).toContain('"lead_name_key"');
    }
  });

  test('refuses update_columns and where if they need to read the conflicting row', async () => {
    const path = 'not-supported $.selectionSet.insert_lead.args.on_conflict';
    expect(await refused(upsert('{id: 1}', 'by'), as('sales'))).toBe(
      `${path}.update_columns the role may not read the conflicting row, which therefore cannot get preset values: "by"`,
    );
    const where = 'lead_pkey, update_columns: [n], where: {n: {_gt: 1}}';
    expect(await refused(insert('{id: 1}', where), as('half'))).toBe(
      `${path}.where the role may not read the conflicting row, so that "where" is not possible`,
    );
    expect(await refused(upsert('{id: 1}', 'note'), as('nester'))).toBe(
      `${path}.update_columns with this constraint, update_columns may only contain columns that the role may read, not "note"`,
    );
  });

  test('can ignore conflicting rows, but is refused with update_columns, if the table has a BEFORE INSERT trigger', async () => {
    const account = (secret: string, columns: string) =>
      `insert_account(objects: {id: 1, secret: "${secret}"}, on_conflict: {constraint: account_pkey, update_columns: [${columns}]}) { affected_rows }`;
    expect(await write(account('old', ''), as('sales'))).toEqual({ affected_rows: 1 });
    expect(await write(account('new', ''), as('sales'))).toEqual({ affected_rows: 0 });
    expect(await refused(account('new', 'secret'), as('sales'))).toBe(
      'not-supported $.selectionSet.insert_account.args.on_conflict.update_columns with constraint "account_pkey" the conflicting row cannot be updated: it would not get the values that BEFORE INSERT triggers assign to the new row; leave update_columns out, or let the role select the columns of the constraint and the primary key',
    );
  });

  test('can ignore conflicting rows, but is refused with update_columns, if the key is a generated column', async () => {
    const badge = (columns: string) =>
      `insert_badge(objects: [{n: 1}, {n: 1}], on_conflict: {constraint: badge_pkey, update_columns: [${columns}]}) { affected_rows }`;
    expect(await write(badge(''), as('sales'))).toEqual({ affected_rows: 1 });
    expect(await refused(badge('n'), as('sales'))).toContain(
      'cannot be updated: one of its columns is generated or preset by the update rule, or its nulls are not distinct; leave',
    );
  });
});

describe('for a role that reads rows but not their key, on_conflict', () => {
  const one = (object: string, columns: string) =>
    `insert_lead_one(object: ${object}, on_conflict: {constraint: lead_pkey, update_columns: [${columns}]}) { name n }`;

  test('returns the inserted or updated rows', async () => {
    expect(await write(one('{id: 9, name: "x", n: 4}', ''), as('half'))).toEqual({
      name: 'x',
      n: 4,
    });
    expect(await write(one('{id: 9, n: 4}', ''), as('half'))).toBeNull();
    expect(await write(one('{id: 9, n: 5}', 'n'), as('half'))).toEqual({ name: 'x', n: 5 });
  });

  test('neither updates nor returns a conflicting row that the select rule hides', async () => {
    expect(await write(one('{id: 3, n: 5}', 'n'), as('half'))).toBeNull();
    expect(await leads()).toEqual(initialLeads);
    expect(await refused(one('{id: 1, n: 100}', 'n'), as('half'))).toContain('permission-error');
  });

  test('allows a nested insert, but refuses it if the row that it needs was ignored', async () => {
    const step = (name: string) =>
      `insert_step(objects: {id: 1, lead: {data: {id: 9, name: "${name}"}, on_conflict: {constraint: lead_name_key}}}) { affected_rows }`;
    expect(await refused(step('a'), as('nester'))).toBe(
      'not-supported $.selectionSet.insert_step.args.objects[0].lead.data cannot proceed to insert object relation "lead" since insert to table "lead" affects zero rows',
    );
    expect(await write(step('x'), as('nester'))).toEqual({ affected_rows: 2 });
    expect(await asOwner('table crm.step')).toEqual([[1, 9, null]]);
  });

  test('can be used by an inheriting role with the rules of its parent roles', async () => {
    const objects = '[{id: 1}, {id: 9, name: "x"}]';
    expect(
      await write(insert(objects, 'lead_pkey', 'returning { name }'), as('inheriting')),
    ).toEqual({
      returning: [{ name: 'x' }],
    });
  });
});
