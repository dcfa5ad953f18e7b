import type pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { column, ids, installTenants, makeTenants, type Tenants } from './tenants.ts';

let tenants: Tenants;
afterEach(async () => {
  await tenants.drop();
  await removeMetadata();
});

/** Runs statements as a login that may create objects in public only during this call. */
async function plant(statements: string): Promise<void> {
  const { superuser, prefix } = tenants;
  await superuser.query(`create role "${prefix}mallory"; grant create, usage on schema public to "${prefix}mallory";
    set role "${prefix}mallory"; set search_path = public; ${statements}; reset role; reset search_path;
    revoke all on schema public from "${prefix}mallory"`);
}

/** Operators and functions that would make every rule true if a rule found them by their bare names. */
const alwaysTrue = (schema: string) => `
  create function ${schema}.yes(integer, integer) returns boolean language sql immutable as 'select true';
  create function ${schema}.yes(text, text) returns boolean language sql immutable as 'select true';
  create operator ${schema}.= (leftarg = integer, rightarg = integer, function = ${schema}.yes);
  create operator ${schema}.= (leftarg = text, rightarg = text, function = ${schema}.yes);
  create operator ${schema}.<> (leftarg = text, rightarg = text, function = ${schema}.yes);
  create function ${schema}.current_setting(text, boolean) returns text language sql as $$ select '2' $$;
  create function ${schema}.nullif(text, text) returns text language sql as $$ select '2' $$;
  create function ${schema}.pg_has_role(name, name, text) returns boolean language sql as 'select true';
  create function ${schema}.row_security_active(oid) returns boolean language sql as 'select false'`;

describe('operators and functions that a login created before apply', () => {
  test('do not change which rows a rule shows when they are in schema public', async () => {
    tenants = await makeTenants({ from: 'empty' });
    await plant(alwaysTrue('public'));
    await tenants.apply();
    expect((await tenants.ask('member', { org_id: '1' }, ids)).rows).toEqual([['1'], ['2']]);
  });

  test('do not change which rows a rule shows when they compare a type of another owner', async () => {
    tenants = await makeTenants({ from: 'empty' });
    await plant(`create function yes(mood, mood) returns boolean language sql immutable as 'select true';
      grant execute on function yes(mood, mood) to public;
      create operator = (leftarg = mood, rightarg = mood, function = yes)`);
    await tenants.apply();
    expect((await tenants.ask('calm', { mood: 'angry' }, ids)).rows).toEqual([]);
  });
});

describe('operators and functions that a login created after apply', () => {
  test('do not change which rows a rule shows when they are in schema public', async () => {
    tenants = await installTenants();
    await plant(alwaysTrue('public'));
    expect((await tenants.ask('member', { org_id: '1' }, ids)).rows).toEqual([['1'], ['2']]);
  });

  test('do not change which rows a rule shows when their schema is first on the search_path', async () => {
    tenants = await installTenants();
    const ann = await tenants.addLogin('ann', ['member'], { org_id: '1' });
    await tenants.superuser.query(`create schema evil authorization "${tenants.prefix}ann"`);
    await ann.query(alwaysTrue('evil'));
    await ann.query('set search_path = evil, pg_catalog, public');
    expect(await column(ann, "select 1 where 'a' = 'b'::text")).toEqual(['1']);
    expect(await column(ann, ids)).toEqual(['1', '2']);
  });

  test('do not change which rows a rule shows or what a preset writes when they are temporary', async () => {
    tenants = await installTenants();
    const ann = await tenants.addLogin('ann', ['writer'], { org_id: '1', user_id: 'ann' });
    await ann.query(`create temp table account as select 9 as id, 1 as org_id;
      create function pg_temp.current_setting(text, boolean) returns text language sql as $$ select '2' $$`);
    expect(await column(ann, ids)).toEqual(['1', '2']);
    await ann.query(`insert into public.account (id, org_id, code) values (9, 1, 'x')`);
    expect(
      await column(tenants.owner, 'select created_by from public.account where id = 9'),
    ).toEqual(['ann']);
  });
});

test('apply refuses a schema of the rules in which PUBLIC may create objects', async () => {
  tenants = await makeTenants({ from: 'empty' });
  await tenants.owner.query('select 1');
  await tenants.superuser.query('grant create on schema public to public');
  const error = await failureOf(tenants.apply());
  expect(error.message).toBe(
    'RG_SCHEMA_WRITABLE PUBLIC may create objects in schema "public", which rules use; run: revoke create on schema "public" from PUBLIC\n' +
      'as a superuser, in this database:\n  revoke create on schema "public" from PUBLIC;',
  );
});

test('apply refuses a schema of the rules in which a direct login may create objects', async () => {
  tenants = await installTenants();
  await tenants.addLogin('ann', ['member']);
  const { prefix } = tenants;
  await tenants.superuser.query(`grant create on schema public to "${prefix}ann"`);
  const { message } = await failureOf(tenants.apply());
  expect(message).toContain(`RG_SCHEMA_WRITABLE "${prefix}ann" may create objects`);
});

test('apply revokes the privilege of a compiled role to create objects in a schema', async () => {
  tenants = await installTenants();
  const { owner, prefix, superuser } = tenants;
  await superuser.query('alter schema public owner to rowgate_owner');
  await owner.query(`grant create on schema public to "${prefix}member" with grant option`);
  expect((await tenants.findings()).map((one) => one.code)).toEqual(['RG_SCHEMA_WRITABLE']);
  await tenants.apply();
  expect(await tenants.findings()).toEqual([]);
});

test('a direct login cannot create a cast between types that it does not own', async () => {
  tenants = await installTenants();
  const ann: pg.Client = await tenants.addLogin('ann', ['calm']);
  await tenants.superuser.query(`create schema evil authorization "${tenants.prefix}ann"`);
  await ann.query(
    `create function evil.tell(text) returns public.mood language sql as $$ select 'calm'::public.mood $$`,
  );
  const { code } = await failureOf(
    ann.query('create cast (text as public.mood) with function evil.tell(text) as implicit'),
  );
  expect(code).toBe('42501');
});

describe('a trigger on a table with rules', () => {
  test('cannot be created by a direct login', async () => {
    tenants = await installTenants();
    const ann = await tenants.addLogin('ann', ['writer']);
    const error = await failureOf(
      ann.query(
        'create trigger x before insert on public.account execute function pg_catalog.suppress_redundant_updates_trigger()',
      ),
    );
    expect(error.code).toBe('42501');
  });

  test('is reported when it runs before the trigger that fills preset columns', async () => {
    tenants = await installTenants();
    await tenants.owner.query(`
      create function public.before_all() returns trigger language plpgsql as 'begin return new; end';
      create trigger " early" before insert on public.account for each row execute function public.before_all()`);
    const findings = await tenants.findings();
    expect(findings.map((one) => one.code)).toEqual(['RG_FOREIGN_TRIGGER']);
  });

  test("sees the preset value, not the client's, when it runs after the preset trigger", async () => {
    tenants = await installTenants();
    await tenants.owner.query(`
      create function public.overwrite() returns trigger language plpgsql as 'begin new.note := new.created_by; return new; end';
      create trigger a_first before insert on public.account for each row execute function public.overwrite()`);
    const { rows } = await tenants.ask(
      'writer',
      { org_id: '1', user_id: 'ann' },
      "insert into public.account (id, org_id, code) values (9, 1, 'x') returning note",
    );
    expect(rows).toEqual([['ann']]);
  });
});
