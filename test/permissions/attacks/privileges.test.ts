import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { since } from '../../support/since.ts';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { ids, installTenants, type Tenants } from './tenants.ts';

let tenants: Tenants;
beforeAll(async () => {
  tenants = await installTenants();
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

const attempts: readonly [string, string][] = [
  ['truncate the table', 'truncate public.account'],
  [
    'create a trigger on the table',
    'create trigger x before insert on public.account execute function pg_catalog.suppress_redundant_updates_trigger()',
  ],
  ['read a whole row', 'select account from public.account'],
  ['read a hidden column', 'select created_by from public.account'],
  ['read another table', 'select * from public.org'],
  ['read a column that only PUBLIC was granted', 'select note from public.account limit 1'],
  ['copy the table out', 'copy public.account to stdout'],
  ['lock the table', 'lock table public.account in access exclusive mode'],
  ['reindex the table', 'reindex table public.account'],
];

describe.each([
  ['PUBLIC', 'public'],
  ['a role', 'member'],
])('after all privileges on a table were granted to %s and apply ran', (_name, grantee) => {
  const to = () => (grantee === 'public' ? 'public' : `"${tenants.prefix}${grantee}"`);

  let changes: readonly string[];
  beforeAll(async () => {
    await tenants.owner.query(
      `grant all on public.account, public.org to ${to()}; grant update (created_by), references (id) on public.account to ${to()}`,
    );
    changes = await tenants.applied();
  });

  test('the plan revokes each privilege, and nothing stays pending after apply', async () => {
    for (const privilege of ['truncate', 'references', 'trigger', 'insert', 'delete']) {
      const named = grantee === 'public' ? 'public' : `${tenants.prefix}${grantee}`;
      expect(changes).toContain(`drop ${privilege} on public.account of ${named}`);
    }
    expect(await tenants.pending()).toEqual([]);
  });

  test.each(attempts)('a role cannot %s', async (_attempt, sql) => {
    const error = await failureOf(tenants.ask('member', { org_id: '1' }, sql));
    expect(error.code).toBe('42501');
  });
});

test('a login cannot test for hidden keys with a foreign key from a table of its own', async () => {
  const ann = await tenants.addLogin('ann', ['member'], { org_id: '1' });
  await tenants.superuser.query(`create schema own authorization "${tenants.prefix}ann"`);
  const probe = 'create table own.probe (id integer references public.account)';
  expect((await failureOf(ann.query(probe))).code).toBe('42501');
});

describe.each([
  ['the grant option on a column', 'grant select (id) on public.account to R with grant option'],
  ['a table without rules', 'grant select on public.secret to R'],
  ['a view over a table with rules', 'grant select on public.looking to R'],
  ['a sequence', 'grant all on sequence public.counter to R'],
  ['usage on a schema', 'grant usage on schema hidden to R'],
  ['a function', 'grant execute on function public.telling() to R'],
  ['a procedure', 'grant execute on procedure hidden."Do it"(integer) to R'],
  ['schema rowgate_policy', 'grant usage on schema rowgate_policy to R'],
  ['schema rowgate', 'grant usage on schema rowgate to R'],
  ['a table of schema rowgate', 'grant insert on rowgate.login_variable to R'],
  ['membership in another compiled role', 'grant P_admin to R'],
  ['membership in the gateway role', 'grant P_gateway to R'],
])('%s, granted to a compiled role', (_name, grant) => {
  beforeAll(async () => {
    await tenants.superuser.query(`
      create schema if not exists hidden;
      create table if not exists public.secret (id integer);
      create sequence if not exists public.counter;
      create or replace view public.looking as select * from public.account;
      create or replace function public.telling() returns integer language sql as 'select 1';
      create or replace procedure hidden."Do it"(integer) language sql as 'select 1';
      alter table public.secret owner to rowgate_owner; alter sequence public.counter owner to rowgate_owner;
      alter schema hidden owner to rowgate_owner; alter view public.looking owner to rowgate_owner;
      alter function public.telling owner to rowgate_owner; alter procedure hidden."Do it" owner to rowgate_owner`);
  });
  beforeEach(async () => {
    const sql = grant
      .replace(/\bR\b/, `"${tenants.prefix}member"`)
      .replace(/\bP_(\w+)/, `"${tenants.prefix}$1"`);
    await tenants.owner.query(sql);
  });

  test('appears in the plan, and apply revokes it', async () => {
    expect(await tenants.applied()).not.toEqual([]);
    expect(await tenants.pending()).toEqual([]);
  });
});

test('apply refuses a compiled role that may create schemas in the database', async () => {
  const { superuser, database, prefix } = tenants;
  await superuser.query(`grant create on database "${database.name}" to "${prefix}member"`);
  const { message } = await failureOf(tenants.apply());
  await superuser.query(`revoke create on database "${database.name}" from "${prefix}member"`);
  expect(message).toBe(
    `RG_EXTRA_PRIVILEGE the Postgres role "${prefix}member" may make schemas and extensions in this database; run: revoke create on database "${database.name}" from "${prefix}member"`,
  );
});

test.each(['select on', 'select (code) on'])(
  'apply reports a view on which PUBLIC has %s, because the view shows rows that rules hide',
  async (privilege) => {
    await tenants.owner.query(`create view public.around as select * from public.account;
    grant ${privilege} public.around to public`);
    const { rows } = await tenants.ask('member', { org_id: '1' }, 'select code from public.around');
    const findings = (await tenants.findings()).map((one) => one.message);
    await tenants.owner.query('drop view public.around');
    expect(rows).toHaveLength(4);
    expect(findings).toEqual([
      'PUBLIC may read public.around, which shows every row of a table with rules',
    ]);
  },
);

// Postgres 14 has no views with the rights of their reader (security_invoker).
test.runIf(since(15))(
  'apply does not report a view with the rights of its reader, because the rules apply to it',
  async () => {
    await tenants.owner.query(`create view public.within with (security_invoker = on) as select id, code from public.account;
    grant select on public.within to public`);
    const { rows } = await tenants.ask('member', { org_id: '1' }, 'select code from public.within');
    const findings = await tenants.findings();
    await tenants.owner.query('drop view public.within');
    expect({ rows: rows.length, findings }).toEqual({ rows: 2, findings: [] });
  },
);

test('after all of these attacks, a role still sees only its rows', async () => {
  expect((await tenants.ask('member', { org_id: '1' }, ids)).rows).toEqual([['1'], ['2']]);
});
