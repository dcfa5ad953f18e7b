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
/** The model of the rules, loaded once and used again, as in a running server. */
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

/** Restores the metadata and the database to the state that the rules require. */
async function repair(): Promise<void> {
  await tenants.rewrite(tenantRules);
  await tenants.apply();
}

/** Returns the drift that the command `rowgate drift` finds with the rights of the owner. */
async function drift(): Promise<Drift> {
  return driftOf(tenants.owner, await tenants.prepare());
}

/** Returns the drift that a running server finds with the rights of the gateway login. */
async function served(digest?: string) {
  model ??= await tenants.model();
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
    'row security turned off',
    'alter table account disable row level security',
    'row security on public.account is off',
  ],
  [
    'a grant to PUBLIC',
    'grant delete on account to public',
    'delete on public.account of public was added',
  ],
  [
    'a column privilege added for a role',
    'grant select (note) on account to MEMBER',
    'grant select on public.account (id, org_id, code, balance, parent_id) to MEMBER was altered',
  ],
  [
    'a table privilege revoked from a role',
    'revoke delete on account from WRITER',
    'grant delete on public.account to WRITER is missing',
  ],
  [
    'a disabled preset trigger',
    'alter table account disable trigger "!rowgate/preset"',
    'trigger !rowgate/preset on public.account was altered',
  ],
  [
    'a compiled role granted to another',
    'grant WRITER to MEMBER',
    'membership of MEMBER in WRITER was added',
  ],
  [
    'row security turned off for the stored variables of logins',
    'alter table rowgate.login_variable disable row level security',
    'access to rowgate.login_variable without row security was added',
  ],
  [
    'another gateway role recorded in the installation',
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

/** Expects that the statement changes the rules digest, so that a server with the old digest compares again. */
async function expectOtherDigest(client: pg.Client, sql: string): Promise<void> {
  const before = await readRulesDigest(gateway);
  await client.query(sql);
  expect(await readRulesDigest(gateway)).not.toBe(before);
  expect(await served(before)).toBeDefined();
}

describe('drift detection while the applied metadata is current', () => {
  haveTenants();
  afterEach(repair);

  test('finds nothing as the owner or as the gateway login', async () => {
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
    'finds %s as the owner and as the gateway login, and the rules digest changes',
    async (_name, change, text) => {
      await expectOtherDigest(tenants.owner, statement(change));
      const expected = [named(text, '')];
      expect(texts(await drift())).toEqual(expected);
      expect(texts((await served())?.drift as Drift)).toEqual(expected);
    },
  );

  test('finds a table with another owner as the owner and as the gateway login', async () => {
    const { superuser, prefix } = tenants;
    await tenants.addLogin('taker', []);
    await superuser.query(`alter table public.account owner to "${prefix}taker"`);
    const expected = [`RG_NOT_OWNER public.account belongs to another role, "${prefix}taker"`];
    const seen = [texts(await drift()), texts((await served())?.drift as Drift)];
    await superuser.query('alter table public.account owner to rowgate_owner');
    expect(seen).toEqual([expected, expected]);
  });

  test('reports only a changed view, not the policies that apply must create again with it', async () => {
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

  test('reports a policy that Rowgate did not create, with the statement that drops it', async () => {
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

  test('finds nothing when a rule only moved to another line of its file', async () => {
    await tenants.rewrite({
      ...tenantRules,
      'tables/account.yaml': `# moved\n${tenantRules['tables/account.yaml']}`,
    });
    expect(await drift()).toMatchObject({ current: true, differences: [] });
  });
});

describe('drift detection while the metadata has changes that are not applied', () => {
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

  test('counts the unapplied changes as pending and not as drift', async () => {
    expect(await drift()).toEqual({
      applied: true,
      current: false,
      differences: [],
      pending: 2,
      copiedFrom: [],
      replaced: [],
    });
  });

  test('still finds each change that was made in the database, as the owner and as the gateway login', async () => {
    for (const [, change] of changes) await tenants.owner.query(statement(change));
    const expected = changes.map(([, , text]) => named(text, '')).toSorted();
    expect(texts(await drift()).toSorted()).toEqual(expected);
    expect(texts((await served())?.drift as Drift).toSorted()).toEqual(expected);
  });

  test('reports each of several changes made in the database, and the pending changes separately', async () => {
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

  test('reports a privilege on a column that was added after apply', async () => {
    await tenants.owner.query('alter table account add column later text');
    await tenants.owner.query(named('grant update (later) on account to MEMBER', '"'));
    expect(texts(await drift())).toEqual([
      named('update on public.account of MEMBER was added', ''),
    ]);
  });

  test('counts a new table with all of its policies and privileges as pending', async () => {
    await tenants.owner.query('create table later (id integer primary key)');
    await tenants.rewrite({
      ...tenantRules,
      'tables/later.yaml':
        'table: later\npermissions: { calm: { select: { filter: {}, columns: [id] } } }\n',
    });
    expect(await drift()).toMatchObject({ current: false, differences: [] });
  });

  test('finds no difference as the gateway login, and reports that the metadata is not current', async () => {
    expect((await served())?.drift).toMatchObject({ current: false, differences: [] });
  });
});

test('drift detection before the first apply reports applied as false and finds no difference', async () => {
  const fresh = await makeTenants({ from: 'empty' });
  const prepared = await fresh.prepare();
  const found = findDrift(prepared, [], new AppliedObjects(new Map()), []);
  await fresh.drop();
  expect(found).toMatchObject({ applied: false, current: false, differences: [] });
});

describe('the rules digest, by which a server notices a change of the database', () => {
  haveTenants();

  test('stays the same while rows and statistics change', async () => {
    const before = await readRulesDigest(gateway);
    await tenants.owner.query("insert into account (id, org_id, code) values (9, 1, 'n')");
    await tenants.owner.query('analyze account');
    expect(await readRulesDigest(gateway)).toBe(before);
    expect(await served(before)).toBeUndefined();
  });

  test('stays the same while another database of the cluster gets rules and roles', async () => {
    const before = await readRulesDigest(gateway);
    const other = await installTenants();
    await other.superuser.query(`alter role "${other.prefix}member" set work_mem = '8MB'`);
    const after = await readRulesDigest(gateway);
    await other.drop();
    expect(after).toBe(before);
  });

  // The tests do not undo their changes, so each test also finds the changes of the tests before it.
  test.each([
    [
      'a changed function of Rowgate',
      'alter function rowgate_api.login_variable(text) reset search_path',
    ] as const,
    [
      'an execute privilege for PUBLIC',
      'grant execute on function rowgate_api.login_variable(text) to public',
    ] as const,
    [
      'a type that a role owns',
      'create type public.t as enum (); alter type public.t owner to MEMBER',
    ] as const,
    ['a role that may create roles', 'alter role MEMBER createrole'] as const,
    ['a setting of a role', "alter role MEMBER set search_path = 'public'"] as const,
    ['the comment of a policy', `comment on policy ${policy} is null`] as const,
    ['a schema that PUBLIC may use', 'grant usage on schema rowgate_policy to public'] as const,
    [
      'a user-defined view over a table with rules',
      'create view around as select * from account',
    ] as const,
  ])('changes after a change to the database: %s', async (_name, change) => {
    await expectOtherDigest(tenants.superuser, named(change, '"'));
  });
});
