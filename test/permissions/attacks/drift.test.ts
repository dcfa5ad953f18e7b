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

/**
 * Each entry: a description of the change, the statement that makes it, and the change of the plan that must report it.
 */
const drifts: readonly [string, string, RegExp][] = [
  [
    'a policy altered in place that keeps its comment',
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
    'the preset trigger set to fire only on a replica',
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
    'the preset function replaced by one that sets nothing',
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
    'a policy view given to another owner',
    'alter view VIEW owner to rowgate_owner',
    /^replace policy view/,
  ],
  [
    'a policy view without security_barrier',
    'alter view VIEW reset (security_barrier)',
    /^replace policy view/,
  ],
  [
    'a policy view rewritten that keeps its comment',
    'create or replace view VIEW with (security_barrier) as select id as k1 from public.org where false',
    /^replace policy view/,
  ],
  [
    'a policy view that PUBLIC may read',
    'grant select on VIEW to public',
    /^drop select on rowgate_policy/,
  ],
  [
    'a policy schema that PUBLIC may use',
    'grant usage on schema rowgate_policy to public',
    /^drop usage on schema rowgate_policy of public/,
  ],
  [
    'a policy schema that a direct login may use',
    'grant usage on schema rowgate_policy to ANN',
    /^drop usage on schema rowgate_policy of ANN/,
  ],
  [
    'a column privilege added',
    'grant select (note) on public.account to MEMBER',
    /^replace grant select on public.account/,
  ],
  [
    'a column privilege revoked',
    'revoke select (code) on public.account from MEMBER',
    /^replace grant select on public.account/,
  ],
  [
    'a Rowgate function that PUBLIC may execute',
    'grant execute on function rowgate_api.login_variable(text) to public',
    /^drop execute/,
  ],
  [
    'a role revoked from the gateway login',
    'set role rowgate_owner; revoke MEMBER from LOGIN; reset role',
    /^create grant MEMBER to LOGIN/,
  ],
  [
    'a wrong fingerprint of the metadata',
    "update rowgate.installation set fingerprint = 'x'",
    /^replace fingerprint/,
  ],
];

/** Drifts that only Postgres 15 and later allow, because older versions have no security_invoker. */
const newerDrifts: typeof drifts = [
  [
    'a policy view that runs with the rights of its reader',
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

  test('appears in the plan, and apply repairs it so that roles see the right rows again', async () => {
    expect(await tenants.applied()).toContainEqual(
      expect.stringMatching(new RegExp(named(change.source))),
    );
    expect(await tenants.pending()).toEqual([]);
    expect((await tenants.ask('member', { org_id: '1' }, ids)).rows).toEqual([['1'], ['2']]);
    const banned = await tenants.ask('not_banned', { banned: 'true' }, ids);
    expect(banned.rows).toEqual([['1'], ['2']]);
  });
});
