import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Answer, ask, beginAs, type Caller, failureOf } from '../support/as-role.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { someoneWaits } from '../support/waiting.ts';

const schema = `
create table doc (
  id integer primary key, owner text not null, org integer not null, deleted boolean not null default false,
  title text, tags text[], visits integer not null default 0, edited_by text
);
insert into doc (id, owner, org, title, edited_by) values
  (1, 'ann', 1, 'one', 'x'), (2, 'ann', 1, 'two', 'x'), (3, 'bo', 1, 'three', 'x'), (4, 'ann', 2, 'four', 'x');
insert into doc (id, owner, org, title, deleted) values (5, 'ann', 1, 'gone', true);
create table log (at integer not null, line text, deleted boolean not null default false) partition by range (at);
create table log_1 partition of log for values from (0) to (10);
create table log_2 partition of log for values from (10) to (20);
insert into log values (1, 'a'), (2, 'b'), (11, 'c');
create table base (id integer, deleted boolean not null default false);
create table derived () inherits (base);
insert into base values (1), (2);
insert into derived values (3);
`;

const hidden = (table: string) => `
table: ${table}
permissions:
  keeper:
    select: { filter: { deleted: { _eq: false } }, columns: '*' }
    update: { filter: {}, columns: [deleted] }
`;

const rules = {
  'roles.yaml': 'roles: { keeper: {} }\n',
  'tables/doc.yaml': `
table: doc
permissions:
  keeper:
    select: { filter: { deleted: { _eq: false }, org: { _eq: X-Gql-Org } }, columns: '*' }
    update:
      filter: { owner: { _eq: X-Gql-User } }
      columns: [owner, deleted, title, tags, visits]
      set: { edited_by: X-Gql-User }
      check: { owner: { _eq: X-Gql-User } }
`,
  'tables/log.yaml': hidden('log'),
  'tables/base.yaml': hidden('base'),
};

let made: Installation;
let gateway: pg.Client;
let caller: Caller;
beforeAll(async () => {
  made = await install({ schema, rules });
  gateway = await made.connectGateway();
  caller = await made.caller('keeper', { org: '1', user: 'ann' });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

const call = 'select rowgate_api.update_each($1, $2, $3)::int as n';

/** Changes rows of a table by update_each. `set` and `where` are SQL and refer to `values` as ($1)[1], ($1)[2] and so on. */
async function each(
  client: pg.Client,
  table: string,
  set: string,
  where = 'true',
  values: readonly unknown[] = [],
): Promise<number> {
  const { rows } = await client.query<{ n: number }>(call, [
    `select from public.${table} as t where ${where} for update`,
    `update public.${table} set ${set} where current of rowgate_rows`,
    values,
  ]);
  return rows[0]?.n ?? Number.NaN;
}

/** Runs work as the role `keeper`, then the query `seen` as the admin, and rolls back all changes. */
async function trying<T>(
  work: () => Promise<T>,
  seen: string,
): Promise<{ came: T; seen: Answer['rows'] }> {
  await beginAs(gateway, caller);
  try {
    const came = await work();
    await gateway.query(`set local role "${made.prefix}admin"`);
    return { came, seen: (await ask(gateway, seen)).rows };
  } finally {
    await gateway.query('rollback');
  }
}

const deleted = 'select id from public.doc where deleted order by id';

describe('an update with the function update_each that hides the row from the role itself', () => {
  test('is needed because a plain update with a condition is refused by the select policy', async () => {
    const update = 'update public.doc set deleted = true where id = 1';
    expect((await failureOf(made.ask('keeper', caller.variables, update))).code).toBe('42501');
  });

  test('succeeds, and leaves rows unchanged that the select or update filter hides', async () => {
    const { came, seen } = await trying(() => each(gateway, 'doc', 'deleted = true'), deleted);
    expect({ came, seen }).toEqual({ came: 2, seen: [['1'], ['2'], ['5']] });
  });

  test('changes only rows that satisfy the condition of the call', async () => {
    const work = () => each(gateway, 'doc', 'deleted = true', 't.id = ($1)[1]::int4', ['2']);
    expect(await trying(work, deleted)).toEqual({ came: 1, seen: [['2'], ['5']] });
  });

  test('fills the preset column of the update rule', async () => {
    const work = () => each(gateway, 'doc', 'deleted = true', 't.id = 1');
    const seen = 'select edited_by from public.doc where id = 1';
    expect(await trying(work, seen)).toEqual({ came: 1, seen: [['ann']] });
  });

  test('is refused when the check of the update rule fails', async () => {
    const work = trying(() => each(gateway, 'doc', "deleted = true, owner = 'bo'"), deleted);
    expect((await failureOf(work)).code).toBe('42501');
  });

  test('changes rows of several partitions', async () => {
    const seen = 'select at from public.log where deleted order by at';
    const work = () => each(gateway, 'log', 'deleted = true', "t.line <> 'b'");
    expect(await trying(work, seen)).toEqual({ came: 2, seen: [['1'], ['11']] });
  });

  test('changes a row that Postgres finds after partition pruning', async () => {
    const seen = 'select at from public.log where deleted order by at';
    const work = () => each(gateway, 'log', 'deleted = true', 't.at = 11');
    expect(await trying(work, seen)).toEqual({ came: 1, seen: [['11']] });
  });

  test('changes rows of a table and of a table that inherits from it', async () => {
    const seen = 'select id from public.base where deleted order by id';
    const work = () => each(gateway, 'base', 'deleted = true', 't.id > 1');
    expect(await trying(work, seen)).toEqual({ came: 2, seen: [['2'], ['3']] });
  });
});

describe('a call of update_each', () => {
  test('returns zero if no row satisfies the condition', async () => {
    expect(
      (await trying(() => each(gateway, 'doc', 'deleted = true', 'false'), deleted)).came,
    ).toBe(0);
  });

  test('does not count a row whose update a trigger cancels', async () => {
    await made.owner.query(`create function keep() returns trigger language plpgsql as 'begin return null; end';
      create trigger keep before update on doc for each row when (old.id = 2) execute function keep()`);
    onTestFinished(async () => {
      await made.owner.query('drop trigger keep on doc; drop function keep()');
    });
    expect((await trying(() => each(gateway, 'doc', 'deleted = true'), deleted)).came).toBe(1);
  });

  test('works inside a trigger that its own update fires, with the search_path of that trigger', async () => {
    await made.owner.query(`create function spread() returns trigger language plpgsql as $$ begin
        perform rowgate_api.update_each('select from log for update', 'update log set deleted = true Where CURRENT of rowgate_rows', '{}');
        return null;
      end $$;
      create trigger spread after update on doc for each row execute function spread()`);
    onTestFinished(async () => {
      await made.owner.query('drop trigger spread on doc; drop function spread()');
    });
    const work = () => each(gateway, 'doc', 'deleted = true');
    const seen = 'select at from public.log where deleted order by at';
    expect(await trying(work, seen)).toEqual({ came: 2, seen: [['1'], ['2'], ['11']] });
  });

  test('leaves the settings of the transaction as they were', async () => {
    const work = async () => {
      await gateway.query('set local constraint_exclusion = on');
      await each(gateway, 'doc', 'deleted = true', 't.id = 1');
      const settings = 'enable_partition_pruning constraint_exclusion'.split(' ');
      const { rows } = await gateway.query(
        'select name, setting from pg_settings where name = any ($1) order by name desc',
        [settings],
      );
      return rows.map(({ setting }) => setting);
    };
    expect((await trying(work, deleted)).came).toEqual(['on', 'on']);
  });

  test('accepts nulls, quotes and array literals as values', async () => {
    const values = [null, `it's "so" \\ {a,b}`, '{x,NULL,"y,z"}', '1'];
    const work = () =>
      each(
        gateway,
        'doc',
        'title = ($1)[2]::text, tags = ($1)[3]::text[], visits = coalesce(($1)[1]::int4, 7)',
        't.id = ($1)[4]::int4',
        values,
      );
    const seen = 'select title, tags, visits from public.doc where id = 1';
    expect(await trying(work, seen)).toEqual({
      came: 1,
      seen: [[values[1], '{x,NULL,"y,z"}', '7']],
    });
  });

  test('works twice in a transaction and twice in a statement', async () => {
    const work = async () => {
      const first = await each(gateway, 'doc', 'deleted = true', 't.id = 1');
      const { rows } = await gateway.query(
        `select rowgate_api.update_each(r, c, array['2']) as a, rowgate_api.update_each(r, c, array['3']) as b
         from (values ('select from public.doc t where t.id = ($1)[1]::int4 for update',
           'update public.doc set deleted = true where current of rowgate_rows')) v(r, c)`,
      );
      return [first, ...rows];
    };
    expect(await trying(work, deleted)).toEqual({
      came: [1, { a: '1', b: '0' }],
      seen: [['1'], ['2'], ['5']],
    });
  });

  test('does not move a cursor of the same transaction', async () => {
    const work = async () => {
      await gateway.query(
        'declare mine cursor for select id from public.doc order by id; fetch mine',
      );
      await each(gateway, 'doc', 'deleted = true', 't.id = 1');
      const { rows } = await gateway.query('fetch mine');
      return rows;
    };
    expect((await trying(work, deleted)).came).toEqual([{ id: 2 }]);
  });

  test('works again after an earlier call failed in a savepoint', async () => {
    const work = async () => {
      await gateway.query('savepoint s');
      const { code } = await failureOf(each(gateway, 'doc', 'visits = 1 / (visits - visits)'));
      await gateway.query('rollback to savepoint s');
      return [code, await each(gateway, 'doc', 'deleted = true', 't.id = 1')];
    };
    expect((await trying(work, deleted)).came).toEqual(['22012', 1]);
  });

  test('cannot change a column that the role may not update', async () => {
    const work = trying(() => each(gateway, 'doc', 'org = 2'), deleted);
    expect((await failureOf(work)).code).toBe('42501');
  });

  test('is refused for a login without a compiled role', async () => {
    const superuser = await made.database.connectSuperuser();
    await superuser.query(`create role "${made.prefix}stranger" login`);
    const stranger = await made.connectAs(`${made.prefix}stranger`);
    const { code } = await failureOf(stranger.query(call, ['select', 'select', []]));
    expect(code).toBe('42501');
  });
});

test('concurrent calls of update_each on the same rows are all applied', async () => {
  const clients = await Promise.all([1, 2, 3].map(() => made.connectGateway()));
  const rounds = 10;
  await Promise.all(
    clients.map(async (client) => {
      for (let round = 0; round < rounds; round += 1) {
        await beginAs(client, caller);
        await each(client, 'doc', 'visits = visits + 1', 'true');
        await client.query('commit');
      }
    }),
  );
  const { rows } = await made.owner.query(
    'select id, visits from doc where visits > 0 order by id',
  );
  const visits = clients.length * rounds;
  expect(rows).toEqual([
    { id: 1, visits },
    { id: 2, visits },
  ]);
});

test('update_each skips a row that another transaction hides while it waits', async () => {
  const rival = await made.database.connectOwner();
  onTestFinished(() => rival.end());
  await rival.query('begin; update doc set deleted = true where id = 1');
  const work = trying(
    () => each(gateway, 'doc', "title = 'new'"),
    "select id from public.doc where title = 'new'",
  );
  await expect.poll(() => someoneWaits(rival)).toBe(true);
  await rival.query('commit');
  const { came, seen } = await work;
  await made.owner.query('update doc set deleted = false where id = 1');
  expect({ came, seen }).toEqual({ came: 1, seen: [['2']] });
});
