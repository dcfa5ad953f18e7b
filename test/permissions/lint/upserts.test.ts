import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { allFindings } from '../../../permissions/lint/all-findings.ts';
import { createLogin } from '../../../permissions/login/create-login.ts';
import { column, makeTenants, type Tenants } from '../attacks/tenants.ts';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { withPrepared } from './with-prepared.ts';

const own = '{ org_id: { _eq: X-Gql-Org-Id } }';

/** Rules of one role on one table that reveal nothing by an upsert. Each test changes one property. */
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

/** Returns the severity and name of each key that check reports, because an upsert reveals hidden rows by it. */
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

describe('check warns that an upsert can test hidden rows by a key', () => {
  test.each<[string, Partial<Subject>, string]>([
    ['that does not contain the column of the tenant', { key: 'primary key (id)' }, 'item_pkey'],
    [
      'that is a unique index without the column of the tenant',
      { key: 'unique (id); create unique index i on item (code)' },
      'i',
    ],
    ['on an expression', { key: 'check (true); create unique index i on item (lower(code))' }, 'i'],
    [
      'that contains the tenant only inside an expression',
      { key: 'check (true); create unique index i on item ((org_id % 2), code)' },
      'i',
    ],
    [
      'that is partial',
      { key: 'check (true); create unique index i on item (code) where public' },
      'i',
    ],
    ['that a default completes', { key: 'primary key (id, state)' }, 'item_pkey'],
    [
      'that contains the tenant, when rows of the same tenant can be hidden, too',
      { filter: published },
      'item_pkey',
    ],
    [
      'whose tenant column the insert rule does not check',
      { filter: ownOrPublic, check: '{}' },
      'item_pkey',
    ],
    [
      'whose column a preset fills with a constant',
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

describe('check does not warn about upserts by a key', () => {
  test.each<[string, Partial<Subject>]>([
    ['that contains the column of the tenant', {}],
    [
      "whose tenant column a preset fills with the caller's tenant",
      { columns: '[id, code]', set: '{ org_id: X-Gql-Org-Id }', check: '{}' },
    ],
    ['whose tenant column the insert rule checks', { filter: ownOrPublic }],
    [
      'that contains all columns by which rows are hidden',
      { filter: published, key: 'primary key (org_id, id, state)' },
    ],
    ['whose value the role cannot choose', { key: 'primary key (serial)' }],
    ['that a default completes with a new number each time', { key: 'primary key (id, serial)' }],
    ['that the role cannot read', { key: 'unique (id)', readable: '[org_id, code]' }],
    ['that is deferrable', { key: 'unique (id) deferrable' }],
    ['that is an exclusion constraint', { key: 'exclude using btree (id with =)' }],
    ['of a table whose rows are all visible', { key: 'primary key (id)', filter: '{}' }],
    ['of a table that the role may not update', { key: 'primary key (id)', update: '' }],
  ])('%s', async (_what, changes) => {
    expect(await findingsOf(changes)).toEqual([]);
  });
});

describe('a direct login of a role whose upserts reveal hidden rows', () => {
  const unsafe = { ...safe, key: 'primary key (id)' };

  test('cannot be created by login create', async () => {
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

  test('makes apply fail when an administrator created it, because it does read hidden rows', async () => {
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
