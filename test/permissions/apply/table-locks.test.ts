import { afterEach, beforeEach, expect, test } from 'vitest';
import { tableLocks } from '../../../permissions/plan/table-locks.ts';
import { installTenants, type Tenants, tenantRules } from '../attacks/tenants.ts';
import { removeMetadata } from '../support/metadata-files.ts';

let tenants: Tenants;
beforeEach(async () => {
  tenants = await installTenants();
  await tenants.superuser.query(recordLocks);
});
afterEach(async () => {
  await tenants.drop();
  await removeMetadata();
});

/** Records after each statement of apply the locks by which it blocks others on user-defined tables. */
const recordLocks = `
create schema observed;
grant usage on schema observed to public;
create table observed.lock (name text, mode text, primary key (name, mode));
create function observed.record() returns event_trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into observed.lock
    select c.relname, l.mode from pg_locks l join pg_class c on c.oid = l.relation
    where l.pid = pg_backend_pid() and l.granted and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and l.mode in ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock', 'ShareUpdateExclusiveLock')
    on conflict do nothing;
end $$;
create event trigger observe on ddl_command_end execute function observed.record();
create event trigger observe_drops on sql_drop execute function observed.record();`;

/** Returns the locks that the plan lists, and those that apply takes. */
async function listedAndTaken() {
  const listed = tableLocks(await tenants.prepare()).map(({ name, mode }) => [name, mode]);
  await tenants.apply();
  const { rows } = await tenants.superuser.query<{ name: string }>(
    "select distinct name from observed.lock where mode = 'AccessExclusiveLock' order by 1",
  );
  return { listed, taken: rows.map((row) => [row.name, 'access exclusive']) };
}

const without = (file: string, text: string) => ({
  ...tenantRules,
  [file]: tenantRules[file as keyof typeof tenantRules].replace(text, ''),
});

test('a plan lists every table with rules when a policy changes, as apply locks them', async () => {
  await tenants.rewrite(
    without('tables/account.yaml', '    delete: { filter: { org_id: { _eq: X-Gql-Org-Id } } }\n'),
  );
  const { listed, taken } = await listedAndTaken();
  expect(listed).toEqual([
    ['account', 'access exclusive'],
    ['org', 'access exclusive'],
  ]);
  expect(taken).toEqual(listed);
});

test('a plan lists a table that the metadata no longer names, because its policies go', async () => {
  await tenants.rewrite({
    'roles.yaml': tenantRules['roles.yaml'],
    'tables/org.yaml': tenantRules['tables/org.yaml'],
  });
  const { listed, taken } = await listedAndTaken();
  expect(listed).toEqual([
    ['account', 'access exclusive'],
    ['org', 'access exclusive'],
  ]);
  expect(taken).toEqual(listed);
});

test('a plan that changes only privileges lists no table, and apply blocks no reads', async () => {
  await tenants.rewrite({
    ...tenantRules,
    'tables/account.yaml': tenantRules['tables/account.yaml'].replace(
      'columns: [code, note]',
      'columns: [code]',
    ),
  });
  expect(await listedAndTaken()).toEqual({ listed: [], taken: [] });
});

test('a plan lists the table whose column loses its statistics', async () => {
  await tenants.rewrite({
    ...tenantRules,
    'tables/account.yaml': `${tenantRules['tables/account.yaml']}columns: { code: { statistics: none } }\n`,
  });
  const names = tableLocks(await tenants.prepare()).map(({ name }) => name);
  expect(names).toEqual(['account']);
});
