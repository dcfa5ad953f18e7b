import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { ids, installTenants, type Tenants } from './tenants.ts';

let tenants: Tenants;
beforeAll(async () => {
  tenants = await installTenants();
});
// The superuser undoes the changes that apply does not repair: policies and owners that Rowgate did not set.
afterEach(async () => {
  await tenants.superuser.query(`
    drop policy if exists tidy on org;
    alter table org owner to rowgate_owner;
    alter table org no force row level security;
    alter table account no force row level security`);
  await tenants.apply();
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

const banned = { banned: 'true' };

describe('a rule with _not over a relationship', () => {
  test('hides a row if one of its related rows meets the negated condition', async () => {
    expect((await tenants.ask('not_banned', banned, ids)).rows).toEqual([['1'], ['2']]);
  });

  test('shows no rows when its variable is missing', async () => {
    expect((await tenants.ask('not_banned', {}, ids)).rows).toEqual([]);
  });

  test('hides the same rows when both tables force row security on their owner', async () => {
    await tenants.owner.query(
      'alter table org force row level security; alter table account force row level security',
    );
    expect((await tenants.ask('not_banned', banned, ids)).rows).toEqual([['1'], ['2']]);
  });

  test('hides the same rows when the related table belongs to another owner', async () => {
    await tenants.superuser.query('alter table org owner to current_user');
    expect((await tenants.ask('not_banned', banned, ids)).rows).toEqual([['1'], ['2']]);
  });

  test('makes the query fail, instead of showing more rows, when Postgres refuses to read the related table', async () => {
    await tenants.owner.query(`revoke all on org from "${tenants.prefix}policy"`);
    expect((await failureOf(tenants.ask('not_banned', banned, ids))).code).toBe('42501');
  });
});

describe.each(['restrictive', 'permissive'])('a %s policy that Rowgate did not create', (kind) => {
  const planted = `create policy tidy on org as ${kind} using (not banned)`;

  test('makes apply fail and name the statement that drops it', async () => {
    await tenants.owner.query(planted);
    const error = await failureOf(tenants.apply());
    expect(error.message).toMatch(
      /^RG_FOREIGN_POLICY policy "tidy" on public.org is not Rowgate's: .*; express it as a rule and run: drop policy "tidy" on "public"."org"$/,
    );
  });

  test('is dropped by apply when its name begins with rowgate/', async () => {
    await tenants.owner.query(planted.replace('tidy', '"rowgate/tidy"'));
    expect(await tenants.pending()).toEqual(['drop policy rowgate/tidy on public.org']);
    await tenants.apply();
    expect(await tenants.pending()).toEqual([]);
  });

  test('is replaced by apply when it has the name of a Rowgate policy', async () => {
    await tenants.owner.query('drop policy "rowgate/policy/select" on org');
    await tenants.owner.query(planted.replace('tidy', '"rowgate/policy/select"'));
    expect(await tenants.pending()).toEqual(['replace policy rowgate/policy/select on public.org']);
    await tenants.apply();
    expect((await tenants.ask('not_banned', banned, ids)).rows).toEqual([['1'], ['2']]);
  });
});
