import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogin } from '../../../permissions/login/create-login.ts';
import { isReadAlike } from '../../../permissions/login/is-read-alike.ts';
import { failureOf } from '../support/as-role.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

/** These two zones differ by more than a day. At any time, the date in one of them differs from the date in UTC. */
const zones = ['Pacific/Kiritimati', 'Etc/GMT+12'];

const schema = `
create table talk (id int primary key, at timestamptz, day date);
insert into talk values
  (1, '2024-05-05 23:00Z', (now() at time zone 'UTC')::date),
  (2, '2024-05-06 01:00Z', (now() at time zone 'UTC')::date + 1);`;

const rules = {
  'roles.yaml': 'roles:\n  fixed: {}\n  current: {}\n  chosen: {}\n',
  'tables/talk.yaml': `table: talk
permissions:
  fixed:
    select: { filter: { at: { _gte: 2024-05-06 00:00 } }, columns: '*' }
    insert: { check: {}, columns: [id], set: { at: 2024-05-06 00:00 } }
  current: { select: { filter: { day: { _lte: now } }, columns: [id] } }
  chosen: { select: { filter: { at: { _gte: X-Gql-Since } }, columns: [id] } }
`,
};

let made: Installation;
const clients = new Map<string, pg.Client>();
beforeAll(async () => {
  made = await install({ schema, rules });
  for (const role of ['fixed', 'current']) {
    await create(role, new Map());
    clients.set(role, await made.connectAs(`${made.prefix}${role}_login`));
  }
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

async function create(name: string, variables: ReadonlyMap<string, string>): Promise<void> {
  const role = (await made.model()).roles.get(name);
  if (!role) throw new Error(`no role ${name}`);
  const login = `${made.prefix}${name}_login`;
  await createLogin(made.owner, {
    ...{ name: login, role, variables, password: 'of a login', headerPrefix: 'X-Gql-' },
  });
}

async function valuesAs(role: string, zone: string, sql: string): Promise<readonly unknown[]> {
  const client = clients.get(role);
  await client?.query(`set timezone = '${zone}'; begin`);
  const answer = await client?.query(sql);
  await client?.query('rollback');
  return answer?.rows.map((row) => Object.values(row)[0]) ?? [];
}

describe.each(zones)('a direct login in the time zone %s', (zone) => {
  test('sees the same rows by a timestamp without zone in a rule', async () => {
    expect(await valuesAs('fixed', zone, 'select id from talk')).toEqual([2]);
  });

  test('stores the same instant by a timestamp without zone in a preset', async () => {
    const sql = 'insert into talk (id) values (3) returning extract(epoch from at)::int8';
    expect(await valuesAs('fixed', zone, sql)).toEqual(['1714953600']);
  });

  test('sees the same rows by a rule that compares a date with now', async () => {
    expect(await valuesAs('current', zone, 'select id from talk')).toEqual([1]);
  });

  test('causes no drift, because an owner in that time zone compiles the same rules', async () => {
    await made.owner.query(`set timezone = '${zone}'`);
    expect(await made.pending()).toEqual([]);
  });
});

test('login create refuses a variable whose meaning depends on the settings of the login', async () => {
  const failure = await failureOf(create('chosen', new Map([['since', '2024-05-06 00:00']])));
  expect(failure.message).toBe(
    'x-gql-since is "2024-05-06 00:00", which is one timestamptz or another as the settings of the login are, and a rule of role chosen reads it',
  );
});

test.each([
  ['timestamptz', '2024-05-06 00:00', false],
  ['timestamptz', '2024-05-06T00:00Z', true],
  ['timestamptz', 'infinity', true],
  ['date', '2024-05-06', true],
  ['date', '01/02/2024', false],
  ['date', '13/02/2024', false],
  ['tstzrange', '[2024-05-06,)', false],
  ['tstzrange', '[2024-05-06Z,)', true],
  ['interval', '-1 2:00', false],
  ['interval', '-1 day', true],
  ['_text', '{a,NULL}', false],
  ['_text', '{a,"b c"}', true],
  ['int4', '7', true],
])(
  'a value of type %s, %j, is accepted only if it has the same meaning under all session settings: %j',
  async (name, value, expected) => {
    await made.owner.query('begin');
    const found = await isReadAlike(made.owner, value, { schema: 'pg_catalog', name });
    await made.owner.query('rollback');
    expect(found).toBe(expected);
  },
);
