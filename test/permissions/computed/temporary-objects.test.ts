import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { formatDiagnostic } from '../../../permissions/diagnostics.ts';
import { createLogin } from '../../../permissions/login/create-login.ts';
import type { RoleModel } from '../../../permissions/types/model.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

// With a search_path that ends in public, Postgres looks up temporary tables of the caller first, so a caller could
// hide the table "membership".
const schema = `
create table membership (person text primary key);
create table doc (id integer primary key, person text not null);
create function is_member(one doc) returns boolean language sql stable set search_path = public
  as 'select exists (select from membership m where m.person = one.person)';
insert into doc values (1, 'ann'), (2, 'bob');
insert into membership values ('ann');
`;
const rules = {
  'roles.yaml': 'roles: { reader: {} }\n',
  'tables/doc.yaml': `
table: doc
computed_fields: { is_member: { function: is_member } }
permissions:
  reader: { select: { filter: { is_member: true }, columns: '*' } }
`,
};

let made: Installation;
let superuser: pg.Client;
beforeAll(async () => {
  made = await install({ schema, rules });
  superuser = await made.database.connectSuperuser();
});
beforeEach(() => superuser.query(`grant temporary on database "${made.database.name}" to public`));
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

const findings = async () =>
  (await made.findings())
    .map(formatDiagnostic)
    .filter((text) => text.includes('temporary tables,'));

async function newLogin(name: string) {
  const { roles } = await made.model();
  const role = roles.get('reader') as RoleModel;
  const login = { name, role, variables: new Map(), password: 'of a test', headerPrefix: 'X-Gql-' };
  return createLogin(made.owner, login);
}

test("login create refuses a login that could hide the table of a rule's function behind a temporary table", async () => {
  expect(await findings()).toEqual([]);
  await expect(newLogin(`${made.prefix}ann`)).rejects.toMatchObject({
    code: 'RG_LOGIN',
    hint: `as the database's owner: revoke temporary on database "${made.database.name}" from public`,
  });
  expect(await findings()).toEqual([]);
});

test('check reports a login that may create temporary tables until that privilege is revoked', async () => {
  const login = `${made.prefix}bob`;
  await superuser.query(`create role "${login}" login; grant "${made.prefix}reader" to "${login}"`);
  expect(await findings()).toEqual([
    expect.stringContaining(`"${login}" may make temporary tables`),
  ]);
  await superuser.query(`revoke temporary on database "${made.database.name}" from public`);
  expect(await findings()).toEqual([]);
  await superuser.query(`drop role "${login}"`);
});

test('login create succeeds when PUBLIC may not create temporary tables', async () => {
  await superuser.query(`revoke temporary on database "${made.database.name}" from public`);
  const login = `${made.prefix}eve`;
  await newLogin(login);
  const client = await made.connectAs(login);
  expect((await client.query('select id from doc')).rows).toEqual([{ id: 1 }]);
  await expect(client.query('create temp table membership (person text)')).rejects.toMatchObject({
    code: '42501',
  });
  await client.end();
  await superuser.query(`drop owned by "${login}"; drop role "${login}"`);
});
