import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { column, installTenants, type Tenants } from '../attacks/tenants.ts';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { lookupsOf, rules, schema } from './notes.ts';

let tenants: Tenants;
let lookup: string;
let login: Awaited<ReturnType<Tenants['addLogin']>>;
beforeAll(async () => {
  tenants = await installTenants({ schema, rules });
  lookup = (await lookupsOf(tenants, 'member')).note_pkey ?? '';
  login = await tenants.addLogin('asking', ['member'], us);
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

const us = { org_id: '1' };
const find = (slug: string) => `select rowgate_api.${lookup}('2026-01-01', '${slug}')`;

/** Returns SQL that inserts a note, or runs the statements in `instead` when the primary key is taken. */
const insertElse = (slug: string, serial: string, instead = 'null, null') => {
  const cells = `'${slug}', '2026-01-01', 1, 'ann', 'new', false, ${serial}`;
  const insertion = `with n as (insert into public.note values (${cells}) returning 1) select 'new' from n`;
  return `select rowgate_api.insert_else($q$${insertion}$q$, '{public,note,note_pkey}', ${instead}, '{}')`;
};
const change = `'update public.note set body = ''x'' where current of rowgate_rows'`;

describe('a conflict lookup, the function that finds the conflicting row of an upsert,', () => {
  test('exists for each unique key that a role does not read, if the role may insert and update', async () => {
    const named = expect.stringMatching(/^in_the_way_[0-9a-f]{16}$/);
    expect(await lookupsOf(tenants, 'member')).toEqual({
      note_pkey: named,
      note_serial_key: named,
    });
    for (const role of ['writer', 'calm', 'not_banned']) {
      expect(Object.values(await lookupsOf(tenants, role))).toEqual([undefined, undefined]);
    }
  });

  test('returns to a gateway whether the row is visible and its version, but none of its columns', async () => {
    const gateway = await tenants.connectGateway();
    await gateway.query(`begin; set local role "${tenants.prefix}member"`);
    await gateway.query(find('theirs'));
    const { rows } = await gateway.query('fetch all from rowgate_rows');
    expect(rows).toEqual([{ is_shown: false, version: expect.any(String) }]);
    await gateway.query('rollback');
  });

  test.each(['mine', 'theirs', 'missing'])(
    'returns nothing to a direct login for the row "%s", so that it cannot test for keys',
    async (slug) => {
      expect(await column(login, find(slug))).toEqual([null]);
    },
  );

  test('cannot be called by a login of another role', async () => {
    const other = await tenants.addLogin('other', ['writer'], us);
    expect((await failureOf(other.query(find('mine')))).code).toBe('42501');
  });
});

describe('the function insert_else, which inserts a row or handles its conflict,', () => {
  test('skips a row whose key is taken and inserts a row whose key is free, for a direct login', async () => {
    expect(await column(login, insertElse('theirs', '9'))).toEqual([null]);
    expect(await column(login, insertElse('fresh', '7'))).toEqual(['new']);
  });

  test('raises the violation for a direct login instead of updating the conflicting row', async () => {
    const instead = `$q$${find('mine')}$q$, ${change}`;
    expect(await failureOf(login.query(insertElse('mine', '9', instead)))).toMatchObject({
      code: '23505',
      constraint: 'note_pkey',
    });
  });

  test('raises the violation of any other constraint, and of the same constraint inside a trigger', async () => {
    for (const [slug, serial, constraint] of [
      ['other', '1', 'note_serial_key'],
      ['twin', '9', 'note_pkey'],
    ] as const) {
      expect(await failureOf(login.query(insertElse(slug, serial)))).toMatchObject({
        code: '23505',
        constraint,
      });
    }
  });

  test('refuses a statement that reads a column or a view that the caller may not read', async () => {
    const reads = (text: string) =>
      failureOf(login.query(`select rowgate_api.insert_else('${text}', '{}', null, null, '{}')`));
    expect((await reads('select slug from public.note')).code).toBe('42501');
    expect((await reads('select body from rowgate_policy.x')).code).toBe('42501');
  });
});
