import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { allFindings } from '../../../permissions/lint/all-findings.ts';
import { createLogin } from '../../../permissions/login/create-login.ts';
import { column, makeTenants, type Tenants } from '../attacks/tenants.ts';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { withPrepared } from './with-prepared.ts';

const own = '{ org_id: { _eq: X-Gql-Org-Id } }';

/** Rules of one role on one table. Each test changes a part of them. */
const safe = {
  key: 'primary key (org_id, id)',
  filter: own,
  check: own,
  set: '{}',
  columns: '[org_id, id, code]',
  readable: "'*'",
  update: `update: { filter: ${own}, columns: [code] }`,
};
type Subject = typeof safe;

const schema = (key: string) => `create table public.item (
  org_id integer not null, id integer not null default 1, code text, note text, serial serial,
  public boolean not null default false, state text not null default 'new', ${key.split(';')[0]});
  insert into public.item (org_id, id, code, note) values (1, 1, 'ours', 'mine'), (2, 2, 'theirs', 'hidden');
  ${key.split(';')[1] ?? ''}`;

const rules = ({ filter, check, set, columns, readable, update }: Subject) => ({
  'roles.yaml': 'roles: { user: { requires: [X-Gql-Org-Id] } }\n',
  'tables/item.yaml': `
table: item
permissions:
  user:
    select: { filter: ${filter}, columns: ${readable} }
    insert: { check: ${check}, set: ${set}, columns: ${columns} }
    ${update}
`,
});

let tenants: Tenants;
beforeAll(async () => {
  const unsafe = { ...safe, key: 'primary key (id)' };
  tenants = await makeTenants({ schema: schema(unsafe.key), rules: rules(unsafe) });
  await tenants.apply();
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

/** Returns the names of the keys that are reported for these rules on a table with this key. */
async function findingsOf(changes: Partial<Subject>): Promise<readonly string[]> {
  const subject = { ...safe, ...changes };
  await tenants.rewrite(rules(subject));
  const remade = `drop table public.item cascade; ${schema(subject.key)}`;
  const found = await withPrepared(
    tenants.owner,
    tenants,
    (prepared) => allFindings(tenants.owner, prepared),
    remade,
  );
  return found
    .filter(({ code }) => code === 'RG_UPSERT_REVEALS')
    .map(({ severity, message }) => `${severity} ${/key of "(\w+)"/.exec(message)?.[1]}`);
}

const published = '{ _and: [{ org_id: { _eq: X-Gql-Org-Id } }, { state: { _eq: published } }] }';
const ownOrPublic = '{ _or: [{ org_id: { _eq: X-Gql-Org-Id } }, { public: { _eq: true } }] }';

describe('a key is reported', () => {
  test.each<[string, Partial<Subject>, string]>([
    ['without the column of the tenant', { key: 'primary key (id)' }, 'item_pkey'],
    ['as an index', { key: 'unique (id); create unique index i on item (code)' }, 'i'],
    ['of an expression', { key: 'check (true); create unique index i on item (lower(code))' }, 'i'],
    [
      'whose tenant an expression changes',
      { key: 'check (true); create unique index i on item ((org_id % 2), code)' },
      'i',
    ],
    [
      'that is partial',
      { key: 'check (true); create unique index i on item (code) where public' },
      'i',
    ],
    ['that a default completes', { key: 'primary key (id, state)' }, 'item_pkey'],
    ['without a column that hides rows of the same tenant', { filter: published }, 'item_pkey'],
    [
      'of a tenant that the insert rule leaves open',
      { filter: ownOrPublic, check: '{}' },
      'item_pkey',
    ],
    [
      'that a preset fills from something else',
      {
        key: 'check (true); create unique index i on item (state) where public',
        set: '{ state: x }',
      },
      'i',
    ],
  ])('%s', async (_what, changes, name) => {
    expect(await findingsOf(changes)).toContain(`warning ${name}`);
  });
});

describe('a key is not reported', () => {
  test.each<[string, Partial<Subject>]>([
    ['with the column of the tenant', {}],
    [
      'that a preset fills with the tenant',
      { columns: '[id, code]', set: '{ org_id: X-Gql-Org-Id }', check: '{}' },
    ],
    ['of which the insert rule fixes the tenant', { filter: ownOrPublic }],
    ['with all that hides rows', { filter: published, key: 'primary key (org_id, id, state)' }],
    ['that the role cannot give', { key: 'primary key (serial)' }],
    ['that a default completes with a new value', { key: 'primary key (id, serial)' }],
    ['that the role cannot read', { key: 'unique (id)', readable: '[org_id, code]' }],
    ['that is deferrable', { key: 'unique (id) deferrable' }],
    ['that excludes', { key: 'exclude using btree (id with =)' }],
    ['where no row is hidden', { key: 'primary key (id)', filter: '{}' }],
    ['where nothing may be updated', { key: 'primary key (id)', update: '' }],
  ])('%s', async (_what, changes) => {
    expect(await findingsOf(changes)).toEqual([]);
  });
});

describe('a direct login', () => {
  const unsafe = { ...safe, key: 'primary key (id)' };

  test('cannot be created for a role whose upserts reveal hidden rows', async () => {
    await tenants.rewrite(rules(unsafe));
    const role = (await tenants.prepare()).loaded.model.roles.get('user');
    if (!role) throw new Error('no role');
    const name = `login_of_${tenants.prefix}ann`;
    const login = {
      name,
      role,
      variables: new Map(),
      password: 'of a test',
      headerPrefix: 'X-Gql-',
    };
    expect(await failureOf(createLogin(tenants.owner, login))).toMatchObject({
      code: 'RG_UPSERT_REVEALS',
      message:
        'in SQL, user reads rows of public.item that it may not see by "on conflict do update where", for they may share a key of "item_pkey" with its own',
    });
    const there = await column(tenants.owner, `select 1 from pg_roles where rolname = '${name}'`);
    expect(there).toEqual([]);
  });

  test('that a person created reads hidden rows, and apply refuses it', async () => {
    await tenants.rewrite(rules(unsafe));
    const ann = await tenants.addLogin('ann', ['user'], { org_id: '1' });
    const { superuser, prefix } = tenants;
    onTestFinished(async () => {
      await superuser.query(`revoke "${prefix}user" from "${prefix}ann"`);
    });
    const heard: (string | undefined)[] = [];
    ann.on('notice', ({ message }) => heard.push(message));
    await ann.query(`create function pg_temp.shout(text) returns boolean language plpgsql
      as $$ begin raise notice '%', $1; return false; end $$`);
    await ann.query(`insert into public.item as i (org_id, id) values (1, 2)
      on conflict (id) do update set code = i.code where pg_temp.shout(i.note)`);
    expect(heard).toEqual(['hidden']);
    const { message } = await failureOf(tenants.apply());
    expect(message).toContain(`"${tenants.prefix}ann" can do so`);
    expect(await findingsOf({ key: 'primary key (id)' })).toEqual(['error item_pkey']);
  });
});
