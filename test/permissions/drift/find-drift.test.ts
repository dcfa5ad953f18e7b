import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Drift, findDrift } from '../../../permissions/drift/find-drift.ts';
import { driftOf, inspectDrift } from '../../../permissions/drift/inspect-drift.ts';
import { readRulesDigest } from '../../../permissions/drift/rules-digest.ts';
import type { Model } from '../../../permissions/index.ts';
import { AppliedObjects } from '../../../permissions/objects/state/applied-objects.ts';
import { installTenants, makeTenants, type Tenants, tenantRules } from '../attacks/tenants.ts';
import { removeMetadata } from '../support/metadata-files.ts';

let tenants: Tenants;
let gateway: pg.Client;
/** The model of the rules, as a server has loaded it. */
let model: Model | undefined;
/** Creates the tenants for the tests of a `describe`. */
const haveTenants = () => {
  beforeAll(async () => {
    tenants = await installTenants();
    gateway = await tenants.connectGateway();
    model = undefined;
  });
  afterAll(() => tenants.drop());
};
afterAll(removeMetadata);

/** Restores the state that the rules require. */
async function repair(): Promise<void> {
  await tenants.rewrite(tenantRules);
  await tenants.apply();
}

/** Returns the drift that `rowgate drift` finds. */
async function drift(): Promise<Drift> {
  return driftOf(tenants.owner, await tenants.prepare());
}

/** Returns the drift that a server with the loaded rules finds. */
async function served(digest?: string) {
  model ??= (await tenants.prepare()).loaded.model;
  return inspectDrift(gateway, { model, login: `${tenants.prefix}gateway_login` }, digest);
}

const texts = ({ differences }: Drift) => differences.map((one) => one.text);

const policy = '"rowgate/member/select" on public.account';

const changes: readonly [string, string, string][] = [
  [
    'an altered policy',
    `alter policy ${policy} using (true)`,
    'policy rowgate/member/select on public.account was altered',
  ],
  [
    'a dropped policy',
    'drop policy "rowgate/calm/select" on public.account',
    'policy rowgate/calm/select on public.account is missing',
  ],
  [
    'row security off',
    'alter table account disable row level security',
    'row security on public.account is off',
  ],
  [
    'a grant to PUBLIC',
    'grant delete on account to public',
    'delete on public.account of public was added',
  ],
  [
    'a grant to a role',
    'grant select (note) on account to MEMBER',
    'grant select on public.account (id, org_id, code, balance, parent_id) to MEMBER was altered',
  ],
  [
    'a grant taken away',
    'revoke delete on account from WRITER',
    'grant delete on public.account to WRITER is missing',
  ],
  [
    'a trigger disabled',
    'alter table account disable trigger "!rowgate/preset"',
    'trigger !rowgate/preset on public.account was altered',
  ],
  ['a membership added', 'grant WRITER to MEMBER', 'membership of MEMBER in WRITER was added'],
  [
    'the variables of logins opened',
    'alter table rowgate.login_variable disable row level security',
    'access to rowgate.login_variable without row security was added',
  ],
  [
    'another gateway',
    "update rowgate.installation set gateway_role = 'MEMBER'",
    'fingerprint of the metadata was altered',
  ],
];

const named = (text: string, quote: string) =>
  text.replaceAll(
    /MEMBER|WRITER/g,
    (role) => `${quote}${tenants.prefix}${role.toLowerCase()}${quote}`,
  );

const statement = (change: string) => named(change, change.includes("'") ? '' : '"');

/** Expects that the statement changes the digest, so that a server with the old digest compares again. */
async function expectOtherDigest(client: pg.Client, sql: string): Promise<void> {
  const before = await readRulesDigest(gateway);
  await client.query(sql);
  expect(await readRulesDigest(gateway)).not.toBe(before);
  expect(await served(before)).toBeDefined();
}

describe('when the applied metadata is current', () => {
  haveTenants();
  afterEach(repair);

  test('neither the owner nor the gateway finds drift', async () => {
    const none = {
      applied: true,
      current: true,
      differences: [],
      pending: 0,
      copiedFrom: [],
      replaced: [],
    };
    expect(await drift()).toEqual(none);
    expect((await served())?.drift).toEqual(none);
  });

  test.each(changes)(
    'the owner, the gateway and the digest detect %s',
    async (_name, change, text) => {
      await expectOtherDigest(tenants.owner, statement(change));
      const expected = [named(text, '')];
      expect(texts(await drift())).toEqual(expected);
      expect(texts((await served())?.drift as Drift)).toEqual(expected);
    },
  );

  test('the owner and the gateway detect a table with another owner', async () => {
    const { superuser, prefix } = tenants;
    await tenants.addLogin('taker', []);
    await superuser.query(`alter table public.account owner to "${prefix}taker"`);
    const expected = [`RG_NOT_OWNER public.account belongs to another role, "${prefix}taker"`];
    const seen = [texts(await drift()), texts((await served())?.drift as Drift)];
    await superuser.query('alter table public.account owner to rowgate_owner');
    expect(seen).toEqual([expected, expected]);
  });

  test('only a changed view is reported, without the policies that are created again with it', async () => {
    const { rows } = await tenants.superuser.query(
      "select relname from pg_class where relnamespace = 'rowgate_policy'::regnamespace",
    );
    await tenants.superuser.query(
      `alter view rowgate_policy.${rows[0].relname} reset (security_barrier)`,
    );
    expect(texts(await drift())).toEqual([
      expect.stringMatching(/^policy view v_\w+ over public.org was altered$/),
    ]);
  });

  test('a foreign policy is reported with an instruction', async () => {
    await tenants.owner.query('create policy mine on account using (true)');
    const { differences } = await drift();
    await tenants.owner.query('drop policy mine on account');
    expect(differences).toEqual([
      {
        kind: 'finding',
        what: 'added',
        text: `RG_FOREIGN_POLICY policy "mine" on public.account is not Rowgate's: it opens rows beside the rules`,
        hint: expect.stringContaining('drop policy "mine" on "public"."account"'),
      },
    ]);
  });

  test('a rule that moved in its file is not drift', async () => {
    await tenants.rewrite({
      ...tenantRules,
      'tables/account.yaml': `# moved\n${tenantRules['tables/account.yaml']}`,
    });
    expect(await drift()).toMatchObject({ current: true, differences: [] });
  });
});

describe('when the metadata has changes', () => {
  haveTenants();
  beforeEach(async () => {
    const account = tenantRules['tables/account.yaml'].replace(
      'columns: [code, note]',
      'columns: [code]',
    );
    await tenants.rewrite({ ...tenantRules, 'tables/account.yaml': account });
    model = undefined;
  });
  afterEach(async () => {
    await repair();
    model = undefined;
  });

  test('they are pending and not drift', async () => {
    expect(await drift()).toEqual({
      applied: true,
      current: false,
      differences: [],
      pending: 2,
      copiedFrom: [],
      replaced: [],
    });
  });

  test('the owner and the gateway still detect each change of the database', async () => {
    for (const [, change] of changes) await tenants.owner.query(statement(change));
    const expected = changes.map(([, , text]) => named(text, '')).toSorted();
    expect(texts(await drift()).toSorted()).toEqual(expected);
    expect(texts((await served())?.drift as Drift).toSorted()).toEqual(expected);
  });

  test('several changes of the database are detected together', async () => {
    await tenants.owner.query(`alter policy ${policy} using (true);
      alter table account disable row level security;
      alter table account disable trigger "!rowgate/preset";
      grant select on account to public; grant select on rowgate.installation to public`);
    const found = await drift();
    expect(texts(found)).toEqual([
      'row security on public.account is off',
      'select on public.account of public was added',
      'select on rowgate.installation of public was added',
      'policy rowgate/member/select on public.account was altered',
      'trigger !rowgate/preset on public.account was altered',
    ]);
    expect(found.pending).toBe(2);
  });

  test('a privilege on a new column is drift, and the column is pending', async () => {
    await tenants.owner.query('alter table account add column later text');
    await tenants.owner.query(named('grant update (later) on account to MEMBER', '"'));
    expect(texts(await drift())).toEqual([
      named('update on public.account of MEMBER was added', ''),
    ]);
  });

  test('a new table is pending with all of its objects', async () => {
    await tenants.owner.query('create table later (id integer primary key)');
    await tenants.rewrite({
      ...tenantRules,
      'tables/later.yaml':
        'table: later\npermissions: { calm: { select: { filter: {}, columns: [id] } } }\n',
    });
    expect(await drift()).toMatchObject({ current: false, differences: [] });
  });

  test('they are pending for a gateway, too', async () => {
    expect((await served())?.drift).toMatchObject({ current: false, differences: [] });
  });
});

test('before the first apply, applied is false', async () => {
  const fresh = await makeTenants({ from: 'empty' });
  const prepared = await fresh.prepare();
  const found = findDrift(prepared, [], new AppliedObjects(new Map()), []);
  await fresh.drop();
  expect(found).toMatchObject({ applied: false, current: false, differences: [] });
});

describe('the rules digest', () => {
  haveTenants();

  test('stays the same while rows change', async () => {
    const before = await readRulesDigest(gateway);
    await tenants.owner.query("insert into account (id, org_id, code) values (9, 1, 'n')");
    await tenants.owner.query('analyze account');
    expect(await readRulesDigest(gateway)).toBe(before);
    expect(await served(before)).toBeUndefined();
  });

  test('stays the same while another database of the cluster gets rules', async () => {
    const before = await readRulesDigest(gateway);
    const other = await installTenants();
    await other.superuser.query(`alter role "${other.prefix}member" set work_mem = '8MB'`);
    const after = await readRulesDigest(gateway);
    await other.drop();
    expect(after).toBe(before);
  });

  // Each of these tests also finds the changes of the earlier ones.
  test.each([
    [
      'a changed Rowgate function',
      'alter function rowgate_api.login_variable(text) reset search_path',
    ] as const,
    [
      'a privilege on a function',
      'grant execute on function rowgate_api.login_variable(text) to public',
    ] as const,
    [
      'a type given to a role',
      'create type public.t as enum (); alter type public.t owner to MEMBER',
    ] as const,
    ['a role with a power', 'alter role MEMBER createrole'] as const,
    ['a setting', "alter role MEMBER set search_path = 'public'"] as const,
    ['a comment on a policy', `comment on policy ${policy} is null`] as const,
    ['a schema opened', 'grant usage on schema rowgate_policy to public'] as const,
    ['a view over a table', 'create view around as select * from account'] as const,
  ])('changes with %s', async (_name, change) => {
    await expectOtherDigest(tenants.superuser, named(change, '"'));
  });
});
