import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { since } from '../../support/since.ts';
import { type Answer, failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { column, ids, installTenants, type Tenants } from './tenants.ts';

let tenants: Tenants;
beforeAll(async () => {
  tenants = await installTenants();
  await tenants.owner.query('analyze account');
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

const variables = { org_id: '1', user_id: 'ann' };
const ask = (sql: string): Promise<Answer> => tenants.ask('writer', variables, sql);

/** Returns all fields of a Postgres error as text, to search them for hidden values. */
function textOf(error: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(error)));
}

describe('a function that a login uses in a condition to print every value that Postgres passes to it', () => {
  let ann: pg.Client;
  const heard: string[] = [];
  beforeAll(async () => {
    ann = await tenants.addLogin('noisy', ['member'], { org_id: '1' });
    ann.on('notice', (notice) => heard.push(notice.message ?? ''));
    await ann.query(`create function pg_temp.shout(anyelement) returns boolean language plpgsql cost 0.0000001
      as $$ begin raise notice '%', $1; return true; end $$`);
  });

  test.each([
    'select id from public.account where pg_temp.shout(code)',
    'select id from public.account where pg_temp.shout(balance) and balance > 0',
    'select count(*) from (select code from public.account offset 0) a where pg_temp.shout(a.code)',
    'select id from public.account order by pg_temp.shout(code)',
    'select a.id from public.account a join public.account b on pg_temp.shout(b.code)',
  ])('never gets a value of a hidden row: %s', async (sql) => {
    heard.length = 0;
    await ann.query(sql);
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.filter((text) => /secret|300|400/.test(text))).toEqual([]);
  });

  test('a cast or a division that fails on a hidden row is never evaluated on that row', async () => {
    const cast = await failureOf(ann.query('select 1 from public.account where code::integer > 0'));
    expect(textOf(cast)).not.toContain('secret');
    const rows = await column(ann, 'select 1 from public.account where 1 / (balance - 300) < 1');
    expect(rows.length).toBe(2);
  });
});

describe('an error message for a role', () => {
  test.each([
    [
      'about a duplicate unique key',
      "insert into public.account (id, org_id, code) values (9, 1, 'secret-3')",
      '23505',
    ],
    [
      'about a duplicate primary key',
      "insert into public.account (id, org_id, code) values (3, 1, 'x')",
      '23505',
    ],
    [
      'about an insert that a rule refuses',
      "insert into public.account (id, org_id, code) values (9, 2, 'x')",
      '42501',
    ],
    [
      'about an update to the key of a hidden row',
      "update public.account set code = 'secret-3' where id = 1",
      '23505',
    ],
    [
      'about a delete of a row that a hidden row references',
      'delete from public.account where id = 1',
      '23503',
    ],
  ])('%s contains no value of the hidden row', async (_name, sql, code) => {
    await tenants.owner.query('update public.account set parent_id = 1 where id = 3');
    const error = await failureOf(ask(sql));
    expect(error.code).toBe(code);
    expect(error.detail ?? '').not.toMatch(/secret|hidden|\(id\)=|\(code\)=/);
    expect(error.message).not.toMatch(/secret|hidden note/);
  });
});

describe('a write of a role', () => {
  test('cannot return a column that the role may not read', async () => {
    const sql = "update public.account set code = 'x' where id = 1 returning created_by";
    expect((await failureOf(ask(sql))).code).toBe('42501');
  });

  test('changes and returns only rows that the role may see', async () => {
    expect((await ask("update public.account set note = 'x' returning id")).rows).toEqual([
      ['1'],
      ['2'],
    ]);
    expect((await ask('delete from public.account where id > 1 returning id')).rows).toEqual([
      ['2'],
    ]);
  });

  test('cannot change a hidden row by insert … on conflict do update', async () => {
    const sql = `insert into public.account (id, org_id, code) values (3, 1, 'x')
      on conflict (id) do update set note = 'taken' returning note`;
    const error = await failureOf(ask(sql));
    expect(error.code).toBe('42501');
    expect(await column(tenants.owner, 'select note from public.account where id = 3')).toEqual([
      'hidden note',
    ]);
  });

  test('can test in the where of an upsert whether a hidden row exists, so apply warns about each such key', async () => {
    const sql = (condition: string) => `insert into public.account as a (id, org_id, code)
      values (3, 1, 'x') on conflict (id) do update set note = 'taken' where ${condition}`;
    expect((await failureOf(ask(sql("a.note = 'hidden note'")))).code).toBe('42501');
    expect((await ask(sql("a.note <> 'hidden note'"))).affected).toBe(0);
    const { warnings } = await tenants.apply();
    const reported = warnings.filter(({ code }) => code === 'RG_UPSERT_REVEALS');
    expect(reported.map(({ message }) => /key of "(\w+)"/.exec(message)?.[1])).toEqual([
      'account_code_key',
      'account_pkey',
    ]);
  });

  // Postgres 14 has no merge.
  test.runIf(since(15))('cannot change a hidden row by merge', async () => {
    const sql = `merge into public.account a using (values (3)) v(id) on a.id = v.id
      when matched then update set note = 'taken' when not matched then do nothing`;
    expect((await ask(sql)).affected).toBe(0);
  });

  test('cannot select or change a row by ctid or xmin', async () => {
    for (const sql of [
      "update public.account set note = 'x' where ctid = '(0,3)'",
      'select ctid, tableoid, xmin from public.account',
      'select id from public.account where xmin::text::int > 0',
    ]) {
      expect((await failureOf(ask(sql))).code, sql).toBe('42501');
    }
  });

  test('cannot lock a hidden row with for update', async () => {
    expect((await ask(`${ids} for update`)).rows).toEqual([['1'], ['2']]);
    const member = tenants.ask('member', variables, `${ids} for update`);
    expect((await failureOf(member)).code).toBe('42501');
  });
});

describe('a role cannot read hidden values', () => {
  test('from column statistics', async () => {
    const sql =
      "select most_common_vals, histogram_bounds from pg_stats where tablename = 'account'";
    expect((await ask(sql)).rows).toEqual([]);
    expect(await column(tenants.superuser, sql)).not.toEqual([]);
    expect((await failureOf(ask('select * from pg_catalog.pg_statistic'))).code).toBe('42501');
    expect((await failureOf(ask('select * from pg_catalog.pg_statistic_ext_data'))).code).toBe(
      '42501',
    );
  });

  test('from the output of explain', async () => {
    const { rows } = await ask(
      'explain (analyze, verbose, buffers off, timing off) select id, code from public.account',
    );
    expect(rows.flat().join('\n')).not.toMatch(/secret|hidden/);
  });

  test('from the statements of other sessions', async () => {
    const other = await tenants.database.connectOwner();
    await other.query("select 'secret-3'");
    const sql = "select query from pg_stat_activity where query like '%secret' || '-3%'";
    expect((await ask(sql)).rows).toEqual([]);
  });

  test('from the file of the table, from pg_authid or from a replication slot', async () => {
    for (const sql of [
      "select pg_read_binary_file(pg_relation_filepath('public.account'))",
      'select * from pg_catalog.pg_authid',
      'select pg_logical_slot_get_changes(null, null, null)',
    ]) {
      expect((await failureOf(ask(sql))).code, sql).toBe('42501');
    }
  });
});

test('an insert of rows of another organization is refused and stores nothing', async () => {
  const before = await column(tenants.owner, 'select count(*) from public.account');
  await failureOf(
    ask(
      'insert into public.account (id, org_id, code) select g, 2, g::text from generate_series(10, 20) g',
    ),
  );
  expect(await column(tenants.owner, 'select count(*) from public.account')).toEqual(before);
});
