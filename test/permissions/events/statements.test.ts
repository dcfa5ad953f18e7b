import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { since } from '../../support/since.ts';
import { failureOf } from '../support/as-role.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { eventsOf, lines, takeEvents } from './captured.ts';

const all = (table: string) => `
table: ${table}
events:
  ${table}_any: { operations: [insert, update, delete], webhook: /hook }
`;

const rules = {
  'roles.yaml': 'roles: {}\n',
  'tables/item.yaml': `
${all('item')}
  item_state: { operations: [update], columns: [state, spot, note], webhook: /hook }
`,
  'tables/part.yaml': all('part'),
  'tables/ledger.yaml': all('ledger'),
  'tables/base.yaml': all('base'),
  'tables/memo.yaml': all('memo'),
  'tables/pair.yaml': all('pair'),
  'tables/pairs.yaml': all('pairs'),
  'tables/derived.yaml': all('derived'),
  'tables/reading.yaml': `
table: reading
events:
  reading_any: { operations: [insert], order_by: [at, share], webhook: /hook }
`,
};

const schema = `
create table item (id int primary key, gone text, state citext, spot point, note json, big numeric, twice int generated always as (id * 2) stored);
alter table item drop column gone;
create table part (id int primary key, item_id int references item on update cascade on delete cascade, n int);
create table ledger (id int, region text, n int, primary key (id, region)) partition by list (region);
create table ledger_eu partition of ledger for values in ('eu');
create table ledger_us (n int, region text not null, id int not null);
alter table ledger attach partition ledger_us for values in ('us');
create function drop_row() returns trigger language plpgsql as 'begin if new.n < 0 then return null; end if; return new; end';
create trigger drop_row before insert on ledger_us for each row execute function drop_row();
create table base (id int, n int);
create table derived (own text) inherits (base);
create domain loose as json;
create table memo (id int primary key, plain loose, list loose[]);
create type pair_of_notes as (n int, note loose);
create table pair (id int primary key, pair pair_of_notes);
create domain several_pairs as pair_of_notes[];
create table pairs (id int primary key, pairs several_pairs);
create table reading (at timestamptz, share float8, raw bytea, took interval);
`;

let made: Installation;
const captured = (sql: string) => eventsOf(made.owner, sql);

beforeAll(async () => {
  made = await install({ schema, rules });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});
beforeEach(async () => {
  await made.owner.query(
    'delete from item; delete from part; delete from ledger; delete from base',
  );
  await takeEvents(made.owner);
});

describe('event triggers, for an update', () => {
  beforeEach(async () => {
    await made.owner.query(
      `insert into item values (12, 'open', '(1,1)', '{"a":1}', 1.0), (11, 'open', null, null, 2)`,
    );
  });

  test('that swaps two keys, record the old and new key of each row', async () => {
    const events = await captured('update item set id = 13 - id');
    expect(lines(events, 'id').toSorted()).toEqual(['update 11 2', 'update 12 1']);
  });

  test.each([
    ['the case of a citext', `state = 'OPEN'`],
    ['a point', `spot = '(2,2)'`],
    ['a json', `note = '{"a": 1}'`],
  ])('of %s, record an event for the trigger that lists the column', async (_what, assignment) => {
    const events = await captured(`update item set ${assignment} where id = 12`);
    expect(events.map(({ trigger }) => trigger)).toEqual(['item_any', 'item_state']);
  });

  test('that changes only the scale of a number, record both values as written', async () => {
    await takeEvents(made.owner);
    await made.owner.query('update item set big = 1.00 where id = 12');
    const { rows } = await made.owner.query(
      `select data -> 'old' ->> 'big' as before, data -> 'new' ->> 'big' as after from rowgate_events.event`,
    );
    expect(rows).toEqual([{ before: '1.0', after: '1.00' }]);
  });

  test('of a column that no trigger lists, record no event', async () => {
    const events = await captured('update item set big = big + 1 where id = 12');
    expect(events.map(({ trigger }) => trigger)).toEqual(['item_any']);
  });

  test('that changes no value, record nothing', async () => {
    expect(await captured('update item set state = state, big = big')).toEqual([]);
  });

  test('record generated columns, but no dropped columns', async () => {
    const [event] = await captured('update item set big = 5 where id = 11');
    expect(Object.keys(event?.new ?? {}).toSorted()).toEqual([
      'big',
      'id',
      'note',
      'spot',
      'state',
      'twice',
    ]);
    expect(event?.new?.twice).toBe(22);
  });

  test('of 4000 rows after an update of one row, pair each old row with its new row', async () => {
    await made.owner.query(
      'insert into item select g, null, null, null, 0 from generate_series(1000, 4999) g',
    );
    const events = await captured('update item set big = id where id >= 1000');
    expect(events.every((event) => event.old?.id === event.new?.id)).toBe(true);
    expect(events).toHaveLength(4000);
  });
});

describe('event triggers, for a statement that writes rows in several ways', () => {
  test('record inserted and updated rows of on conflict as separate events', async () => {
    await made.owner.query(`insert into item values (20, 'a')`);
    const events = await captured(
      `insert into item values (20, 'b'), (21, 'c') on conflict (id) do update set id = 22, state = excluded.state`,
    );
    expect(lines(events, 'id').toSorted()).toEqual([
      ...['insert - 21', 'update 20 22', 'update 20 22'],
    ]);
  });

  test('record the writes of all its common table expressions', async () => {
    await made.owner.query(`insert into item values (21, 'c'), (22, 'b')`);
    const events = await captured(
      `with gone as (delete from item where id = 21 returning *), made as (insert into item select 30, state from gone returning id) update item set big = 7 where id = 22`,
    );
    expect(lines(events, 'id').toSorted()).toEqual(['delete 21 -', 'insert - 30', 'update 22 22']);
  });

  test('record each row of copy', async () => {
    const superuser = await made.database.connectSuperuser();
    const copied = `copy part from program $$printf '41\\t\\\\N\\t1\\n42\\t\\\\N\\t2\\n'$$`;
    expect(lines(await eventsOf(superuser, copied), 'id')).toEqual(['insert - 41', 'insert - 42']);
  });

  // Postgres 14 has no merge.
  test.runIf(since(15))('record the rows that merge inserts, updates and deletes', async () => {
    await made.owner.query('insert into base values (70, 1), (71, 1)');
    const events = await captured(`
      merge into base b using (values (70, false), (71, true), (72, false)) w(id, gone) on b.id = w.id
      when matched and gone then delete
      when matched then update set n = 2
      when not matched then insert values (w.id, 3)`);
    expect(lines(events, 'id').toSorted()).toEqual(['delete 71 -', 'insert - 72', 'update 70 70']);
  });

  test('record the rows that a foreign key changes or deletes by cascade', async () => {
    await made.owner.query(
      'insert into item values (22), (30); insert into part values (1, 22, 1), (2, 22, 2), (3, 30, 3)',
    );
    const moved = await captured('update item set id = id + 100 where id in (22, 30)');
    expect(
      lines(
        moved.filter(({ table }) => table === 'public.part'),
        'item_id',
      ),
    ).toEqual([...['update 22 122', 'update 22 122', 'update 30 130']]);
    const gone = await captured('delete from item where id in (122, 130)');
    expect(
      lines(
        gone.filter(({ table }) => table === 'public.part'),
        'id',
      ),
    ).toEqual([...['delete 1 -', 'delete 2 -', 'delete 3 -']]);
  });

  test('record nothing for truncate', async () => {
    await made.owner.query('insert into base values (1, 1)');
    expect(await captured('truncate only base')).toEqual([]);
  });
});

describe('event triggers on a partitioned table', () => {
  beforeEach(async () => {
    await made.owner.query(`insert into ledger values (1, 'eu', 1), (2, 'eu', 2), (3, 'us', 3)`);
  });

  test('record a row that moves to another partition as an update', async () => {
    const events = await captured(`update ledger set region = 'us' where region = 'eu'`);
    expect(lines(events, 'region')).toEqual(['update eu us', 'update eu us']);
    expect(events.map((event) => [event.old?.id, event.new?.id])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  test('record a row written to a partition under the name of the partitioned table', async () => {
    const [event] = await captured(`insert into ledger_us (id, region, n) values (9, 'us', 9)`);
    expect(event).toMatchObject({ table: 'public.ledger', new: { id: 9, region: 'us', n: 9 } });
  });

  test('fail the update when a user-defined trigger cancels the move of a row, instead of recording a wrong event', async () => {
    await made.owner.query(`insert into ledger values (50, 'eu', -1), (51, 'eu', 1)`);
    await expect(made.owner.query(`update ledger set region = 'us'`)).rejects.toMatchObject({
      code: '27000',
    });
  });

  test('record writes to a partition attached later only through its parent, until the next apply', async () => {
    await made.owner.query(`create table ledger_uk partition of ledger for values in ('uk')`);
    expect(await captured(`insert into ledger values (1, 'uk', 1)`)).toHaveLength(1);
    const missing = (await made.pending()).filter((change) => change.includes('ledger_uk'));
    expect(missing).toHaveLength(4);
    await made.apply();
    expect(await captured(`insert into ledger_uk values (2, 'uk', 1)`)).toHaveLength(1);
  });
});

describe('event triggers on a parent table and on a table that inherits from it', () => {
  beforeEach(() => made.owner.query(`insert into derived values (5, 5, 'x')`));

  test('record an insert into the inheriting table once under each name', async () => {
    const events = await captured(`insert into derived values (6, 6, 'x')`);
    expect(events.map(({ trigger, new: row }) => [trigger, row])).toEqual([
      ['derived_any', { id: 6, n: 6, own: 'x' }],
      ['base_any', { id: 6, n: 6 }],
    ]);
  });

  test('record nothing for the parent when only a column of the inheriting table changes', async () => {
    const events = await captured(`update derived set own = 'y'`);
    expect(events.map(({ trigger }) => trigger)).toEqual(['derived_any']);
  });

  test('record an update of inherited rows that names the parent', async () => {
    const events = await captured('update base set n = n + 1 where id = 5');
    expect(lines(events, 'n')).toEqual(['update 5 6']);
  });
});

test.each([
  ['', 'item', 'note', ''],
  [' through a domain', 'memo', 'plain', ''],
  [' in an array of a domain', 'memo', 'list', 'array[$]::loose[]'],
  [' in a composite', 'pair', 'pair', 'row(1, $)::pair_of_notes'],
  [' in an array of composites', 'pairs', 'pairs', 'array[row(1, $)::pair_of_notes]'],
])(
  'an event trigger fails a write of a JSON value with \\u0000%s, without quoting the value',
  async (_title, table, column, form) => {
    const value = `'{"hidden": "\\u0000"}'`;
    const failure = await failureOf(
      made.owner.query(
        `insert into ${table} (id, ${column}) values (99, ${form.replace('$', value) || value})`,
      ),
    );
    const message = `an event trigger of public.${table} cannot tell a row that holds \\u0000 in json`;
    expect(failure).toMatchObject({ code: '22P05', message });
    expect(JSON.stringify(failure)).not.toContain('hidden');
  },
);

test('a rollback discards the events of its transaction', async () => {
  await made.owner.query('begin; insert into base values (7, 7); rollback');
  expect(await takeEvents(made.owner)).toEqual([]);
});

test('listeners of rowgate_event are notified once per transaction with events, and not without events', async () => {
  const listener = await made.database.connectOwner();
  const heard: (string | undefined)[] = [];
  listener.on('notification', ({ payload }) => heard.push(payload));
  await listener.query('listen rowgate_event');
  await made.owner.query(
    'begin; insert into base values (8, 8); insert into base values (9, 9); commit',
  );
  await made.owner.query('update base set n = n');
  await listener.query('select 1');
  expect(heard).toEqual(['']);
});

test('rows that replication writes record no events', async () => {
  const superuser = await made.database.connectSuperuser();
  await superuser.query('set session_replication_role = replica');
  expect(await eventsOf(superuser, 'insert into base values (10, 10)')).toEqual([]);
});

describe.runIf(since(18))(
  'virtual generated columns, which exist since Postgres 18, of a table with an event trigger',
  () => {
    const virtual = (more: string) => ({
      'roles.yaml': 'roles: {}\n',
      'tables/cell.yaml': `table: cell\nevents: { cell_any: { operations: [insert, update], webhook: /hook${more} } }\n`,
    });
    let other: Installation;
    beforeAll(async () => {
      const table = 'create table cell (id int, twice int generated always as (id * 2) virtual)';
      other = await install({ schema: table, rules: virtual('') });
    });
    afterAll(() => other.drop());

    test('are omitted from the recorded rows', async () => {
      const [event] = await eventsOf(other.owner, 'insert into cell values (1)');
      expect(event?.new).toEqual({ id: 1 });
      expect(lines(await eventsOf(other.owner, 'update cell set id = 2'), 'id')).toEqual([
        'update 1 2',
      ]);
    });

    test.each(['columns', 'payload', 'order_by'])(
      'are refused by apply when an event trigger names them in %s',
      async (key) => {
        await other.rewrite(virtual(`, ${key}: [twice]`));
        await expect(other.apply()).rejects.toThrow(
          'column "twice" of public.cell is computed as it is read, which no trigger is shown',
        );
      },
    );
  },
);

test('timezone and format settings of a session do not change the values in an event', async () => {
  const row = `insert into reading values ('2026-01-02 03:04:05+00', 0.1234567890123456, 'abc', '1 day 2:00')`;
  const other = await made.database.connectOwner();
  await other.query(
    `set timezone = 'Asia/Kolkata'; set extra_float_digits = -5; set bytea_output = 'escape'; set intervalstyle = 'sql_standard'`,
  );
  await takeEvents(made.owner);
  await made.owner.query(row);
  await other.query(row);
  const [usual, odd] = await takeEvents(made.owner);
  expect([odd?.new, odd?.key]).toEqual([usual?.new, usual?.key]);
  expect(odd?.new?.share).toBe(0.1234567890123456);
});
