import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { since } from '../../support/since.ts';
import { failureOf } from '../support/as-role.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { recordedBy, takeRecorded } from './recorded.ts';

const live = (table: string, settings = 'true') => `table: ${table}\nlive: ${settings}\n`;

const rules = {
  'roles.yaml': 'roles: { member: { requires: [X-Gql-Org] } }\n',
  'tables/item.yaml': `
${live('item')}
permissions:
  member:
    select: { filter: { org: { _eq: X-Gql-Org } }, columns: '*' }
    insert: { check: {}, columns: '*' }
    update: { filter: {}, columns: '*' }
    delete: { filter: {} }
`,
  'tables/part.yaml': live('part', '{ keys: [item_id], cursors: [] }'),
  'tables/ledger.yaml': live('ledger', '{ keys: [region, id] }'),
  'tables/base.yaml': live('base'),
  'tables/keyless.yaml': live('keyless', '{ keys: [n] }'),
  'tables/reading.yaml': live('reading'),
  'tables/word.yaml': live('word'),
  'tables/odd.yaml': `
table: { schema: public, name: "odd \\"name.'$$" }
graphql: { name: odd, columns: { 'a=b*': { name: a }, "n\\"'; drop": { name: b }, o: { name: c } } }
live: { keys: ['a=b*', "n\\"'; drop", o] }
`,
};

const schema = `
create table item (id int primary key, org int, note text, at timestamptz not null default '2024-01-01', seen timestamptz not null default '2024-01-01');
create table part (id int primary key, item_id int references item on update cascade on delete cascade);
create table ledger (id int, region text, n int, primary key (id, region)) partition by list (region);
create table ledger_eu partition of ledger for values in ('eu');
create table ledger_us (n int, region text not null, id int not null) partition by list (id);
create table ledger_us_rest partition of ledger_us default;
alter table ledger attach partition ledger_us for values in ('us');
create function drop_row() returns trigger language plpgsql as 'begin if new.n < 0 then return null; end if; return new; end';
create trigger drop_row before insert on ledger_us_rest for each row execute function drop_row();
create table base (id int primary key, n int);
create table derived (own text) inherits (base);
create table keyless (n int);
create table reading (at timestamptz primary key, share float8 unique);
create collation folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
create table word (word text collate folded primary key);
create table "odd ""name.'$$" ("a=b*" int, "n""'; drop" text, o int primary key);
create table plain (id int);
`;

let made: Installation;
const recorded = (sql: string) => recordedBy(made.owner, sql);

beforeAll(async () => {
  made = await install({ schema, rules });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});
beforeEach(async () => {
  await made.owner.query(
    'delete from item; delete from part; delete from ledger; delete from base; delete from keyless',
  );
  await made.owner.query(`insert into item values (1, 7, 'a'), (2, 7, 'b'), (3, 8, 'c');
    insert into part values (10, 1), (11, 1), (12, 2); insert into ledger values (1, 'eu', 1), (2, 'us', 2)`);
  await takeRecorded(made.owner);
});

test('the defaults of keys are the primary key and columns that rules compare with session variables, those of cursors the primary key and timestamps', async () => {
  const model = await made.model();
  expect(model.tables.get('public.item' as never)?.live).toEqual({
    keys: ['id', 'org'],
    cursors: ['id', 'at', 'seen'],
  });
});

describe('a statement on a live table records', () => {
  test.each([
    ['an insert of one row', 'insert into item values (4, 9)', ['public.item | id=4 org=9 | 4']],
    [
      'an insert of several rows with their distinct keys',
      'insert into item values (4, 9), (5, 9)',
      ['public.item | id=4 id=5 org=9 | 4 5'],
    ],
    ['no key for a null', 'insert into item values (4, null)', ['public.item | id=4 | 4']],
    [
      'no key for nulls of several rows',
      'insert into item values (4, null), (5, null)',
      ['public.item | id=4 id=5 | 4 5'],
    ],
    ['a delete', 'delete from item where id = 3', ['public.item | id=3 org=8 |']],
    [
      'a delete of several rows with the rows that it cascades to',
      'delete from item where org = 7',
      ['public.item | id=1 id=2 org=7 |', 'public.part | item_id=1 item_id=2 |'],
    ],
    [
      'an update of another column',
      `update item set note = 'x' where id = 1`,
      ['public.item | id=1 org=7 |'],
    ],
    [
      'the old and the new value of a key',
      'update item set org = 9 where id = 1',
      ['public.item | id=1 org=7 org=9 |'],
    ],
    [
      'the old and the new values of several rows',
      'update item set org = org + 1',
      ['public.item | id=1 id=2 id=3 org=7 org=8 org=9 |'],
    ],
    [
      'a cursor column that moves',
      `update item set seen = '2025-01-01' where id = 1`,
      ['public.item | id=1 org=7 | 1:seen'],
    ],
    [
      'only the rows whose cursor columns move, of several',
      `update item set at = case when id = 2 then at else '2025-01-01' end, seen = case when id = 1 then seen else '2025-01-01' end`,
      ['public.item | id=1 id=2 id=3 org=7 org=8 | 1:at 2:seen 3:at:seen'],
    ],
    [
      'a new primary key as a new row',
      'update item set id = 30, seen = now() where id = 3',
      ['public.item | id=3 id=30 org=8 | 30'],
    ],
    [
      'new primary keys of several rows as new rows, and an update cascade',
      'update item set id = id * 10 where id > 1',
      [
        'public.item | id=2 id=20 id=3 id=30 org=7 org=8 | 20 30',
        'public.part | item_id=2 item_id=20 |',
      ],
    ],
    [
      'an upsert of a new and an existing row',
      `insert into item values (1, 9), (4, 9) on conflict (id) do update set org = excluded.org`,
      ['public.item | id=4 org=9 | 4', 'public.item | id=1 org=7 org=9 |'],
    ],
    [
      'both tables of a statement with a CTE',
      'with gone as (delete from part where id = 12) update item set note = null where id = 2',
      ['public.item | id=2 org=7 |', 'public.part | item_id=2 |'],
    ],
    ['a truncation', 'truncate item, part', ['public.item | any |', 'public.part | any |']],
    [
      'an insert into a table without streams',
      'insert into part values (20, 3)',
      ['public.part | item_id=3 |'],
    ],
    [
      'a change of a table without a primary key',
      'insert into keyless values (1), (1), (null); update keyless set n = 2',
      ['public.keyless | n=1 |', 'public.keyless | n=1 n=2 |'],
    ],
    [
      'a table and columns with odd names',
      `insert into "odd ""name.'$$" values (1, 'x', 5); update "odd ""name.'$$" set "n""'; drop" = null`,
      [
        `public.odd "name\\.'$$ | a=b*=1 n"'; drop=x o=5 | 5`,
        `public.odd "name\\.'$$ | a=b*=1 n"'; drop=x o=5 |`,
      ],
    ],
    [
      'a key that only differs in case as a new row',
      `insert into word values ('a'), ('b'); update word set word = 'A' where word = 'a'; update word set word = upper(word)`,
      ['public.word | any | a b', 'public.word | any | A', 'public.word | any | B'],
    ],
  ])('%s', async (_what, sql, expected) => {
    const came = await recorded(sql);
    expect(came.toSorted()).toEqual([...expected].toSorted());
  });

  test.runIf(since(15))('each action of MERGE', async () => {
    const came =
      await recorded(`merge into item using (values (1), (2), (9)) v(id) on item.id = v.id
      when matched and item.id = 1 then delete when matched then update set org = 9 when not matched then insert values (v.id, 6)`);
    expect(came.toSorted()).toEqual([
      'public.item | id=1 org=7 |',
      'public.item | id=2 org=7 org=9 |',
      'public.item | id=9 org=6 | 9',
      'public.part | item_id=1 |',
    ]);
  });

  test('a copy from a program', async () => {
    const superuser = await made.database.connectSuperuser();
    const came = await recordedBy(
      superuser,
      `copy item (id, org) from program 'printf "5\\t6\\n6\\t6\\n"'`,
    );
    expect(came).toEqual(['public.item | id=5 id=6 org=6 | 5 6']);
  });

  test('nothing if it changes no row', async () => {
    const none = `update item set org = 1 where id = 99; delete from item where id = 99; insert into item select 1, 1 where false`;
    expect(await recorded(none)).toEqual([]);
    expect(await recorded('insert into item values (1, 1) on conflict do nothing')).toEqual([]);
  });

  test('nothing if it is rolled back, alone or with a savepoint', async () => {
    const kept =
      await recorded(`begin; insert into item values (4, 1); savepoint a; insert into item values (5, 1);
      rollback to a; commit; begin; delete from item; rollback`);
    expect(kept).toEqual(['public.item | id=4 org=1 | 4']);
  });

  test('the number of the whole transaction inside a savepoint', async () => {
    await recorded('begin; savepoint a; insert into item values (4, 1); release a');
    const { rows } = await made.owner
      .query(
        `insert into item values (5, 1); select bool_and(xid = pg_current_xact_id()) as same, count(*)::int from rowgate.live_change; commit`,
      )
      .then((results) => (results as unknown as { rows: unknown[] }[])[1] ?? { rows: [] });
    expect(rows).toEqual([{ same: true, count: 1 }]);
  });

  test('changes of a session that replicates', async () => {
    const superuser = await made.database.connectSuperuser();
    await superuser.query('set session_replication_role = replica');
    expect(await recordedBy(superuser, 'insert into item values (4, 1)')).toEqual([
      'public.item | id=4 org=1 | 4',
    ]);
  });

  test('changes of a role that may not write the record', async () => {
    await takeRecorded(made.owner);
    const gateway = await made.connectGateway();
    await gateway.query(`begin; set local role "${made.prefix}member"; select set_config('gql.org', '1', true);
      insert into item values (4, 1); commit`);
    expect(await takeRecorded(made.owner)).toEqual(['public.item | id=4 org=1 | 4']);
  });

  test('the same text for a key in every session', async () => {
    await made.owner.query(`set timezone = 'Asia/Tokyo'; set datestyle = 'German'`);
    const came = await recorded(`insert into reading values ('2024-05-01 00:00:00+00')`);
    await made.owner.query('reset timezone; reset datestyle');
    expect(came).toEqual(['public.reading | any | 2024-05-01 00:00:00+00']);
  });
});

describe('a statement on many rows records', () => {
  test.each([
    ['1,000 values of a key', 1_000, (keys: string) => keys.split(' ').length, 1_001],
    ['one mark in place of 1,001 values', 1_001, (keys: string) => keys, 'id* org=5'],
  ])('%s', async (_what, count, measure, expected) => {
    const [came = ''] = await recorded(
      `insert into item select 100 + i, 5 from generate_series(1, ${count}) i`,
    );
    expect(measure(came.split(' | ')[1] ?? '')).toBe(expected);
  });

  test('any row if every key has too many values', async () => {
    const came = await recorded(
      'insert into item select 100 + i, i from generate_series(1, 1001) i',
    );
    expect(came.map((one) => one.split(' | ')[1])).toEqual(['any']);
  });

  const streamed = async (count: number) => {
    const inserted = await recorded(
      `insert into item select 100 + i, 5 from generate_series(1, ${count}) i`,
    );
    const moved = await recorded(`update item set at = '2025-05-05' where id > 100`);
    return [...inserted, ...moved].map((one) => one.split(' | ')[2] ?? '');
  };

  test('10,000 rows for streams', async () => {
    expect((await streamed(10_000)).map((rows) => rows.split(' ').length)).toEqual([
      10_000, 10_000,
    ]);
  });

  test('no list of rows for streams if there are more', async () => {
    expect(await streamed(10_001)).toEqual(['too many', 'too many']);
  });
});

describe('a partitioned live table records', () => {
  test.each([
    [
      'an insert by the parent',
      `insert into ledger values (5, 'us', 1)`,
      ['public.ledger | id=5 region=us | 5/us'],
    ],
    [
      'an insert into a partition',
      `insert into ledger_eu values (5, 'eu', 1)`,
      ['public.ledger | id=5 region=eu | 5/eu'],
    ],
    [
      'a write to a partition of a partition',
      `update ledger_us_rest set n = 9`,
      ['public.ledger | id=2 region=us |'],
    ],
    [
      'a row that moves to another partition',
      `update ledger set region = 'us' where id = 1`,
      ['public.ledger | id=1 region=eu region=us | 1/us'],
    ],
    [
      'a row that is dropped on its way to another partition',
      `update ledger set region = 'us', n = -1 where id = 1`,
      ['public.ledger | id=1 region=eu |'],
    ],
    ['the truncation of a partition', 'truncate ledger_eu', ['public.ledger | any |']],
    [
      'a write to an inheriting table',
      `insert into derived values (1, 2, 'x')`,
      ['public.base | id=1 | 1'],
    ],
  ])('%s', async (_what, sql, expected) => {
    expect(await recorded(sql)).toEqual(expected);
  });
});

test('no role can attach the function of a live table to a table of its own', async () => {
  const { rows } = await made.owner.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where t.tgrelid = 'item'::regclass and t.tgname = '!rowgate/live/insert'`,
  );
  const forge = `create trigger forged after insert on mine referencing new table as rowgate_new for each statement execute function ${rows[0]?.name}`;
  const gateway = await made.connectGateway();
  await gateway.query('create temp table mine (id int, org int, at timestamptz, seen timestamptz)');
  expect(await failureOf(gateway.query(forge))).toMatchObject({ code: '42501' });
  await made.owner.query(
    `create table mine (id int, org int, at timestamptz, seen timestamptz); ${forge}`,
  );
  expect(await failureOf(made.owner.query('insert into mine values (1, 7)'))).toMatchObject({
    code: '42501',
    message: 'this function records the changes of another table',
  });
});
