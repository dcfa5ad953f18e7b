import { afterEach, expect, test } from 'vitest';
import { column, ids, installTenants, makeTenants, type Tenants } from '../attacks/tenants.ts';
import { ask, failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';

let tenants: Tenants;
afterEach(async () => {
  await tenants.drop();
  await removeMetadata();
});

/**
 * Returns the message with which apply fails. Each case in this file is a way around the rules, so the finding must be
 * an error.
 */
async function refusal(): Promise<string> {
  return (await failureOf(tenants.apply())).message;
}

test('apply refuses a login with BYPASSRLS that inherits a role, because it would see every row', async () => {
  tenants = await installTenants();
  const { superuser, prefix } = tenants;
  const ann = await tenants.addLogin('ann', ['member'], { org_id: '1' });
  await superuser.query(`alter role "${prefix}ann" bypassrls`);
  expect(await column(ann, ids)).toEqual(['1', '2', '3', '4']);
  expect(await refusal()).toContain('RG_BYPASS');
});

test('apply refuses a parent table without rules that PUBLIC may read, because it shows every row of the child', async () => {
  tenants = await installTenants();
  await tenants.owner.query(`create table public.above (id integer not null);
    alter table public.account inherit public.above; grant select on public.above to public`);
  const { rows } = await tenants.ask('member', { org_id: '1' }, 'select id from public.above');
  expect(rows).toHaveLength(4);
  expect(await refusal()).toContain('RG_UNMANAGED_PARENT');
});

test('apply refuses a view that PUBLIC may write to, because it changes rows that the rules hide', async () => {
  tenants = await installTenants();
  await tenants.owner.query(
    'create view public.seen as select id, note from public.account; grant update on public.seen to public',
  );
  const answer = await tenants.ask('member', { org_id: '1' }, "update public.seen set note = 'x'");
  expect(answer.affected).toBe(4);
  expect(await refusal()).toContain('RG_OPEN_VIEW');
});

test('apply refuses a direct login that starts without triggers, because it writes without the presets', async () => {
  tenants = await installTenants();
  const { superuser, prefix } = tenants;
  await tenants.addLogin('ann', ['writer'], { org_id: '1', user_id: 'ann' });
  await superuser.query(`alter role "${prefix}ann" set session_replication_role = replica`);
  const ann = await tenants.connectAs(`${prefix}ann`);
  await ask(ann, "insert into public.account (id, org_id, code) values (9, 1, 'x')");
  const made = 'select created_by from public.account where id = 9';
  expect(await column(tenants.owner, made)).toEqual(['nobody']);
  expect(await refusal()).toContain('RG_SETTING');
});

test('apply refuses a session variable set in the database, because it applies when the gateway sends none', async () => {
  tenants = await installTenants();
  const { superuser, database, prefix } = tenants;
  await superuser.query(`alter database "${database.name}" set gql.org_id = '2'`);
  const gateway = await tenants.connectGateway();
  await gateway.query(`set role "${prefix}member"`);
  expect(await column(gateway, ids)).toEqual(['3', '4']);
  expect(await refusal()).toContain('RG_SETTING');
});

test('apply succeeds in a database with typical objects of other tools, and reports them as warnings', async () => {
  tenants = await makeTenants();
  const { superuser, database, prefix } = tenants;
  await superuser.query(`
    create role "${prefix}anon"; create role "${prefix}service" bypassrls;
    create schema extensions; grant usage on schema extensions to public;
    alter database "${database.name}" set search_path = "$user", public, extensions;
    alter default privileges for role rowgate_owner in schema public grant all on tables to "${prefix}anon", "${prefix}service";
    create table public.spatial_ref_sys (srid integer); grant select on public.spatial_ref_sys to public;
    alter extension citext add table public.spatial_ref_sys;
    create publication everything for all tables;
    create function public.noticed() returns event_trigger language plpgsql security definer as 'begin end';
    create event trigger noticed on ddl_command_end execute function public.noticed()`);
  await tenants.owner.query(`
    create table public.countries (code text); grant select on public.countries to public;
    create view public.codes as select code from public.account; grant select on public.codes to public;
    create function public.new_user() returns trigger language plpgsql security definer as 'begin return new; end';
    create trigger new_user after insert on public.account for each row execute function public.new_user();
    create function public.is_admin() returns boolean language sql security definer as 'select true'`);
  const { warnings } = await tenants.apply();
  const codes = warnings.filter((one) => one.position === undefined).map((one) => one.code);
  expect([...new Set(codes)].toSorted()).toEqual([
    'RG_DEFINER_FUNCTION',
    'RG_DEFINER_TRIGGER',
    'RG_FK_UNINDEXED',
    'RG_OPEN_VIEW',
    'RG_SEARCH_PATH',
    'RG_UNMANAGED_TABLE',
  ]);
});
