import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { since } from '../../support/since.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { ids, installTenants, type Tenants } from './tenants.ts';

let tenants: Tenants;
beforeAll(async () => {
  tenants = await installTenants();
  await tenants.addLogin('ann', ['member']);
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

const policy = 'policy "rowgate/member/select" on public.account';

/** Changes to the database, each with the change in the plan that reports it. */
const drifts: readonly [string, string, RegExp][] = [
  [
    'a policy altered in place, its comment left',
    `alter ${policy} using (true)`,
    /^replace policy rowgate\/member\/select/,
  ],
  [
    'a policy renamed',
    `alter ${policy} rename to "rowgate/member/x"`,
    /^create policy rowgate\/member\/select/,
  ],
  ['a policy for PUBLIC', `alter ${policy} to public`, /^replace policy/],
  ['a policy dropped', `drop ${policy}`, /^create policy/],
  ['a policy without its comment', `comment on ${policy} is null`, /^replace policy/],
  [
    'row security disabled',
    'alter table public.account disable row level security',
    /^create row security on public.account/,
  ],
  [
    'the preset trigger disabled',
    'alter table public.account disable trigger "!rowgate/preset"',
    /^replace trigger/,
  ],
  [
    'the preset trigger made to wait for a replica',
    'alter table public.account enable replica trigger "!rowgate/preset"',
    /^replace trigger/,
  ],
  [
    'the preset trigger dropped',
    'drop trigger "!rowgate/preset" on public.account',
    /^create trigger/,
  ],
  [
    'the preset trigger with a condition',
    'drop trigger "!rowgate/preset" on public.account; create trigger "!rowgate/preset" before insert or update on public.account for each row when (new.id is null) execute function FUNCTION()',
    /^replace trigger/,
  ],
  [
    'the preset function rewritten',
    "create or replace function FUNCTION() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as 'begin return new; end'",
    /^replace preset function/,
  ],
  [
    'the preset function without its search_path',
    'alter function FUNCTION() reset search_path',
    /^replace preset function/,
  ],
  [
    'the preset function with the rights of its owner',
    'alter function FUNCTION() security definer',
    /^replace preset function/,
  ],
  [
    'a policy view of another owner',
    'alter view VIEW owner to rowgate_owner',
    /^replace policy view/,
  ],
  [
    'a policy view without its barrier',
    'alter view VIEW reset (security_barrier)',
    /^replace policy view/,
  ],
  [
    'a policy view rewritten, its comment left',
    'create or replace view VIEW with (security_barrier) as select id as k1 from public.org where false',
    /^replace policy view/,
  ],
  [
    'a policy view that PUBLIC may read',
    'grant select on VIEW to public',
    /^drop select on rowgate_policy/,
  ],
  [
    'a schema that PUBLIC may use',
    'grant usage on schema rowgate_policy to public',
    /^drop usage on schema rowgate_policy of public/,
  ],
  [
    'the schema of the policy views opened to a login',
    'grant usage on schema rowgate_policy to ANN',
    /^drop usage on schema rowgate_policy of ANN/,
  ],
  [
    'a column grant added',
    'grant select (note) on public.account to MEMBER',
    /^replace grant select on public.account/,
  ],
  [
    'a column grant taken',
    'revoke select (code) on public.account from MEMBER',
    /^replace grant select on public.account/,
  ],
  [
    'a Rowgate function that PUBLIC may execute',
    'grant execute on function rowgate_api.login_variable(text) to public',
    /^drop execute/,
  ],
  [
    'a membership of the gateway taken',
    'set role rowgate_owner; revoke MEMBER from LOGIN; reset role',
    /^create grant MEMBER to LOGIN/,
  ],
  [
    'a fingerprint that says otherwise',
    "update rowgate.installation set fingerprint = 'x'",
    /^replace fingerprint/,
  ],
];

/** Changes that Postgres 15 and later allow. */
const newerDrifts: typeof drifts = [
  [
    'a policy view that obeys the invoker',
    'alter view VIEW set (security_invoker = true)',
    /^replace policy view/,
  ],
];

describe.each([...drifts, ...(since(15) ? newerDrifts : [])])('%s', (_name, statements, change) => {
  const named = (text: string) =>
    text
      .replaceAll('ANN', `${tenants.prefix}ann`)
      .replaceAll('MEMBER', `${tenants.prefix}member`)
      .replaceAll('LOGIN', `${tenants.prefix}gateway_login`);

  beforeAll(async () => {
    const { rows } = await tenants.superuser.query<{ function: string; view: string }>(`
      select (select 'rowgate_policy.' || proname from pg_proc where pronamespace = 'rowgate_policy'::regnamespace) as function,
        (select 'rowgate_policy.' || relname from pg_class where relnamespace = 'rowgate_policy'::regnamespace) as view`);
    const sql = named(statements)
      .replaceAll('FUNCTION', rows[0]?.function ?? '')
      .replaceAll('VIEW', rows[0]?.view ?? '');
    await tenants.superuser.query(sql);
  });

  test('is in the plan, and apply repairs it', async () => {
    expect(await tenants.applied()).toContainEqual(
      expect.stringMatching(new RegExp(named(change.source))),
    );
    expect(await tenants.pending()).toEqual([]);
    expect((await tenants.ask('member', { org_id: '1' }, ids)).rows).toEqual([['1'], ['2']]);
    const banned = await tenants.ask('not_banned', { banned: 'true' }, ids);
    expect(banned.rows).toEqual([['1'], ['2']]);
  });
});
