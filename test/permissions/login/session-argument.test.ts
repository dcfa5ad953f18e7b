import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogin } from '../../../permissions/login/create-login.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const schema = `
create table note (id int primary key, owner text not null, secret text);
create function asked(note, session jsonb) returns jsonb language sql stable as 'select $2';
create function is_own(note, session jsonb) returns boolean language sql stable as
  $$ select $1.owner = session ->> ('x-gql-' || 'user-id') $$;
create function own_notes(session json) returns setof note language sql stable as
  $$ select id, session::text, secret from note where owner = session ->> ('x-gql-' || 'user-id') $$;
insert into note values (1, 'ann', 's'), (2, 'bob', 's');
`;

const rules = {
  'roles.yaml': 'roles: { reader: {}, person: {} }\n',
  'tables/note.yaml': `
table: note
computed_fields:
  asked: { function: asked, session_argument: session }
  is_own: { function: is_own, session_argument: session }
permissions:
  reader: { select: { filter: {}, columns: [id, owner], computed_fields: [asked] } }
  person: { select: { filter: { is_own: true }, columns: [id] } }
`,
  'functions/own_notes.yaml':
    'function: own_notes\nsession_argument: session\nrights: owner\npermissions: [reader]\n',
};

let made: Installation;
let reader: pg.Client;
let person: pg.Client;
beforeAll(async () => {
  made = await install({ schema, rules });
  await made.owner.query(`revoke temporary on database ${made.database.name} from public`);
  reader = await logIn('reader', { user_id: 'ann', team: 'blue' });
  person = await logIn('person', { user_id: 'bob' });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

/** Creates a direct login and tries to replace its variables by settings, as the gateway sets them. */
async function logIn(name: string, variables: Readonly<Record<string, string>>) {
  const role = (await made.model()).roles.get(name);
  if (!role) throw new Error(`no role ${name}`);
  const login = `${made.prefix}${name}_login`;
  const of = { headerPrefix: 'X-Gql-', password: 'of a login' };
  await createLogin(made.owner, {
    ...{ ...of, name: login, role, variables: new Map(Object.entries(variables)) },
  });
  const client = await made.connectAs(login);
  await client.query(`set rowgate.session = '{"x-gql-user-id": "eve", "x-gql-role": "admin"}'`);
  await client.query(`set gql.user_id = 'eve'`);
  return client;
}

async function values(client: pg.Client, sql: string): Promise<readonly unknown[]> {
  const { rows } = await client.query({ text: sql, rowMode: 'array' });
  return rows.flat();
}

const session = { 'x-gql-role': 'reader', 'x-gql-user-id': 'ann', 'x-gql-team': 'blue' };

test('a function with the rights of its caller receives all variables of a direct login, and none of its settings', async () => {
  const { rows } = await made.owner.query<{ name: string }>(
    "select c.oid::regclass::text as name from pg_class c where c.relkind = 'v' and c.relname like 'computed%'",
  );
  const [view] = rows;
  expect(await values(reader, `select asked from ${view?.name} where id = 1`)).toEqual([session]);
});

test('a function with the rights of its owner receives all variables of a direct login, and none of its settings', async () => {
  const { rows } = await made.owner.query<{ name: string }>(
    `select p.oid::regproc::text as name from pg_proc p
     where p.proname like 'function\\_%' and has_function_privilege('${made.prefix}reader', p.oid, 'EXECUTE')`,
  );
  const [call] = rows;
  const [id, owner] = await values(reader, `select id, owner from ${call?.name}()`);
  expect([id, JSON.parse(String(owner))]).toEqual([1, session]);
});

test('the function of a rule receives the variables of a direct login that no rule names', async () => {
  expect(await values(person, 'select id from note')).toEqual([2]);
});

test('a request without any variable gives the functions of rules none', async () => {
  expect((await made.ask('person', {}, 'select id from note')).rows).toEqual([]);
});
