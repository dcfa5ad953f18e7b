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
  ['truncates', 'truncate public.account'],
  [
    'plants a trigger',
    'create trigger x before insert on public.account execute function pg_catalog.suppress_redundant_updates_trigger()',
  ],
  ['reads a whole row', 'select account from public.account'],
  ['reads a hidden column', 'select created_by from public.account'],
  ['reads another table', 'select * from public.org'],
  ['reads what PUBLIC was given elsewhere', 'select note from public.account limit 1'],
  ['copies the table out', 'copy public.account to stdout'],
  ['locks the table', 'lock table public.account in access exclusive mode'],
  ['reindexes', 'reindex table public.account'],
];

describe.each([
  ['PUBLIC', 'public'],
  ['a role', 'member'],
])('all privileges of %s on a table', (_name, grantee) => {
  const to = () => (grantee === 'public' ? 'public' : `"${tenants.prefix}${grantee}"`);

  let changes: readonly string[];
  beforeAll(async () => {
    await tenants.owner.query(
      `grant all on public.account, public.org to ${to()}; grant update (created_by), references (id) on public.account to ${to()}`,
    );
    changes = await tenants.applied();
  });

  test('are in the plan, and apply revokes them', async () => {
    for (const privilege of ['truncate', 'references', 'trigger', 'insert', 'delete']) {
      const named = grantee === 'public' ? 'public' : `${tenants.prefix}${grantee}`;
      expect(changes).toContain(`drop ${privilege} on public.account of ${named}`);
    }
    expect(await tenants.pending()).toEqual([]);
  });

  test.each(attempts)(
    'no longer allow what a role could do before: it %s',
    async (_attempt, sql) => {
      const error = await failureOf(tenants.ask('member', { org_id: '1' }, sql));
      expect(error.code).toBe('42501');
    },
  );
});

test('a login with a schema of its own cannot test for values with a foreign key', async () => {
  const ann = await tenants.addLogin('ann', ['member'], { org_id: '1' });
  await tenants.superuser.query(`create schema own authorization "${tenants.prefix}ann"`);
  const probe = 'create table own.probe (id integer references public.account)';
  expect((await failureOf(ann.query(probe))).code).toBe('42501');
});

describe.each([
  ['a grant option', 'grant select (id) on public.account to R with grant option'],
  ['a grant on a table without rules', 'grant select on public.secret to R'],
  ['a grant on a view over the table', 'grant select on public.looking to R'],
  ['a grant on a sequence', 'grant all on sequence public.counter to R'],
  ['a schema', 'grant usage on schema hidden to R'],
  ['a function', 'grant execute on function public.telling() to R'],
  ['a procedure', 'grant execute on procedure hidden."Do it"(integer) to R'],
  ['schema rowgate_policy', 'grant usage on schema rowgate_policy to R'],
  ['schema rowgate', 'grant usage on schema rowgate to R'],
  ['a table of schema rowgate', 'grant insert on rowgate.login_variable to R'],
  ['a membership in another role of the metadata', 'grant P_admin to R'],
  ['a membership of the marker of gateways', 'grant P_gateway to R'],
])('%s granted to a role', (_name, grant) => {
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

  test('is in the plan, and apply revokes it', async () => {
    expect(await tenants.applied()).not.toEqual([]);
    expect(await tenants.pending()).toEqual([]);
  });
});

test('apply refuses a role that may create schemas', async () => {
  const { superuser, database, prefix } = tenants;
  await superuser.query(`grant create on database "${database.name}" to "${prefix}member"`);
  const { message } = await failureOf(tenants.apply());
  await superuser.query(`revoke create on database "${database.name}" from "${prefix}member"`);
  expect(message).toBe(
    `RG_EXTRA_PRIVILEGE the Postgres role "${prefix}member" may make schemas and extensions in this database; run: revoke create on database "${database.name}" from "${prefix}member"`,
  );
});

test.each(['select on', 'select (code) on'])(
  'apply reports a view on which PUBLIC has %s, because it bypasses the rules',
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

test.runIf(since(15))(
  'apply reports no finding for a view with the rights of its reader',
  async () => {
    await tenants.owner.query(`create view public.within with (security_invoker = on) as select id, code from public.account;
    grant select on public.within to public`);
    const { rows } = await tenants.ask('member', { org_id: '1' }, 'select code from public.within');
    const findings = await tenants.findings();
    await tenants.owner.query('drop view public.within');
    expect({ rows: rows.length, findings }).toEqual({ rows: 2, findings: [] });
  },
);

test('the rules have the same effect after all of these attacks', async () => {
  expect((await tenants.ask('member', { org_id: '1' }, ids)).rows).toEqual([['1'], ['2']]);
});
