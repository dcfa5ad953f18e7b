import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { since } from '../../support/since.ts';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { column, ids, installTenants, makeTenants, type Tenants } from './tenants.ts';

let tenants: Tenants;
beforeAll(async () => {
  tenants = await installTenants();
});
// The superuser undoes the changes that apply refuses instead of repairing.
afterEach(async () => {
  const { superuser, prefix } = tenants;
  await superuser.query(`
    drop table if exists public.own;
    alter table public.account owner to rowgate_owner;
    alter role "${prefix}member" nosuperuser nobypassrls noreplication nocreatedb;
    revoke "${prefix}writer" from "${prefix}member"`);
  for (const name of ['both', 'team', 'ann', 'stranger']) {
    await superuser.query(`drop role if exists "${prefix}${name}"`);
  }
  await tenants.apply();
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

test('apply refuses a login that inherits two compiled roles, because it would have the rights of both', async () => {
  await tenants.addLogin('both', ['member', 'writer'], { org_id: '1' });
  const { message } = await failureOf(tenants.apply());
  expect(message).toContain(`RG_EXTRA_PRIVILEGE "${tenants.prefix}both" inherits several roles`);
});

test('apply refuses a role that inherits two compiled roles, even if no login inherits it', async () => {
  const { superuser, prefix } = tenants;
  await superuser.query(
    `create role "${prefix}team"; grant "${prefix}member", "${prefix}writer" to "${prefix}team"`,
  );
  const { message } = await failureOf(tenants.apply());
  expect(message).toContain(`"${prefix}team" inherits several roles`);
});

test('apply revokes the membership of a compiled role in another compiled role', async () => {
  const { owner, prefix } = tenants;
  await owner.query(`grant "${prefix}writer" to "${prefix}member"`);
  expect(await tenants.applied()).toEqual([
    `drop membership of ${prefix}member in ${prefix}writer`,
  ]);
  expect(await tenants.pending()).toEqual([]);
});

// Since Postgres 16, only the grantor of a membership or a superuser can revoke the membership.
test.runIf(since(16))(
  'apply fails when a superuser granted one compiled role to another, which only a superuser can revoke',
  async () => {
    const { superuser, prefix } = tenants;
    await superuser.query(`grant "${prefix}writer" to "${prefix}member"`);
    const { message } = await failureOf(tenants.apply());
    expect(message).toContain('after applying, this still differs');
  },
);

// Before Postgres 16, a role with CREATEROLE may revoke any membership, so apply can repair this membership.
test.skipIf(since(16))(
  'apply revokes the membership of a compiled role in another that a superuser granted',
  async () => {
    const { superuser, prefix } = tenants;
    await superuser.query(`grant "${prefix}writer" to "${prefix}member"`);
    await tenants.apply();
    expect(await tenants.pending()).toEqual([]);
  },
);

test('the gateway login cannot read a table before it switches to a role', async () => {
  const gateway = await tenants.connectGateway();
  expect((await failureOf(gateway.query(ids))).code).toBe('42501');
});

test('apply takes inheritance and the admin option away from the gateway login', async () => {
  const { superuser, owner, prefix } = tenants;
  await superuser.query(`alter role "${prefix}gateway_login" inherit`);
  await owner.query(`revoke "${prefix}member" from "${prefix}gateway_login"`);
  await owner.query(`grant "${prefix}member" to "${prefix}gateway_login" with admin option`);
  await tenants.apply();
  expect(await tenants.pending()).toEqual([]);
  const gateway = await tenants.connectGateway();
  expect((await failureOf(gateway.query(ids))).code).toBe('42501');
});

test('apply removes a login from the gateway role, so that its session settings no longer count as variables', async () => {
  const { owner, prefix } = tenants;
  const ann = await tenants.addLogin('ann', ['member'], { org_id: '1' });
  await owner.query(`grant "${prefix}gateway" to "${prefix}ann"`);
  await ann.query("set gql.org_id = '2'");
  expect(await column(ann, ids)).toEqual(['3', '4']);
  expect(await tenants.applied()).toEqual([`drop membership of ${prefix}ann in ${prefix}gateway`]);
  expect(await column(ann, ids)).toEqual(['1', '2']);
});

test('after apply with a new gateway login, the old login cannot switch to the gateway role', async () => {
  const moved = await makeTenants();
  const { superuser, prefix } = moved;
  await superuser.query(
    `create role "${prefix}first" login noinherit; create role "${prefix}second" login noinherit`,
  );
  await moved.apply({ login: `${prefix}first` });
  await moved.apply({ login: `${prefix}second` });
  const first = await moved.connectAs(`${prefix}first`);
  const { code } = await failureOf(first.query(`set role "${prefix}gateway"`));
  await moved.drop();
  expect(code).toBe('42501');
});

test.each(['superuser', 'bypassrls', 'replication', 'createdb'])(
  'apply refuses a compiled role that has %s',
  async (power) => {
    const { superuser, prefix } = tenants;
    await superuser.query(`alter role "${prefix}member" ${power}`);
    const { message } = await failureOf(tenants.apply());
    await superuser.query(`alter role "${prefix}member" no${power}`);
    expect(message).toContain(
      `RG_EXTRA_PRIVILEGE the Postgres role "${prefix}member" is superuser`,
    );
  },
);

test.each(['login', 'createrole', 'inherit'])(
  'apply takes the attribute %s away from a role that Rowgate created',
  async (power) => {
    const { superuser, prefix } = tenants;
    const role = power === 'inherit' ? 'gateway_login' : 'member';
    await superuser.query(`alter role "${prefix}${role}" ${power}`);
    expect(await tenants.applied()).toEqual([`replace role ${prefix}${role}`]);
    expect(await tenants.pending()).toEqual([]);
  },
);

test('apply refuses a compiled role that owns an object', async () => {
  const { superuser, prefix } = tenants;
  await superuser.query(
    `create table public.own (id integer); alter table public.own owner to "${prefix}member"`,
  );
  const { message } = await failureOf(tenants.apply());
  expect(message).toContain(`the Postgres role "${prefix}member" owns table public.own`);
});

test('apply refuses a compiled role that owns a table with rules', async () => {
  const { superuser, prefix } = tenants;
  await superuser.query(`alter table public.account owner to "${prefix}member"`);
  const { message } = await failureOf(tenants.apply());
  expect(message).toContain('RG_NOT_OWNER');
  expect(message).toContain('RG_EXTRA_PRIVILEGE');
});

const strangers = [
  ['the gateway login', 'gateway_login', ''],
  ['the gateway role, which marks a session as a gateway', 'gateway', ''],
] as const;
// Before Postgres 16, every membership gives `set role`, so no membership without any right exists.
const powerless = [
  'the gateway role, as a member without any right',
  'gateway',
  ' with inherit false, set false',
] as const;

test.each([...strangers, ...(since(16) ? [powerless] : [])])(
  'apply revokes the membership of a login in %s',
  async (_name, role, options) => {
    const { owner, prefix } = tenants;
    const stranger = `${prefix}stranger`;
    await tenants.addLogin('stranger', ['member'], { org_id: '1' });
    await owner.query(`grant "${prefix}${role}" to "${stranger}"${options}`);
    expect(await tenants.applied()).toEqual([`drop membership of ${stranger} in ${prefix}${role}`]);
    expect(await tenants.pending()).toEqual([]);
  },
);
