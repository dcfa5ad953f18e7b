import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Applied, applyMetadata } from '../../../permissions/apply/apply-metadata.ts';
import { MetadataError } from '../../../permissions/errors.ts';
import { refusalStatements } from '../../../permissions/rights/explain-refusal.ts';
import { since } from '../../support/since.ts';
import { failureOf } from '../support/as-role.ts';
import { catalogState } from '../support/catalog-state.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

/** Names that need quotes show that the printed statements have them. */
const schema = `
create schema "Shop 1";
create table "Shop 1"."Order ""A""" (id int primary key, owner int not null, note text, total int not null default 0);
create table "Shop 1".line (id int primary key, order_id int not null references "Shop 1"."Order ""A""");
create function "Shop 1".double("Order ""A""" "Shop 1"."Order ""A""") returns int language sql stable set search_path = pg_catalog, pg_temp as 'select 2';
create function "Shop 1".count_all() returns setof "Shop 1".line language sql stable security definer set search_path = pg_catalog, pg_temp as 'select * from "Shop 1".line';
`;

const rules = {
  'roles.yaml': 'roles: { buyer: { requires: [X-Gql-User-Id] }, clerk: {} }\n',
  'tables/order.yaml': `
table: { schema: Shop 1, name: 'Order "A"' }
graphql: { name: order }
permissions:
  buyer:
    select: { filter: { owner: { _eq: X-Gql-User-Id } }, columns: [id, note] }
    insert: { check: {}, set: { owner: X-Gql-User-Id }, columns: [id, note] }
`,
  'tables/line.yaml': `
table: { schema: Shop 1, name: line }
permissions:
  clerk: { select: { filter: {}, columns: [id] } }
`,
};

let made: Installation;
let superuser: pg.Client;
let login: string;
let other: string;

/** Gives a login of its own everything that apply needs. Each test then takes something away. */
beforeEach(async () => {
  made = await makeInstallation({ from: 'empty', schema, rules });
  superuser = await made.database.connectSuperuser();
  login = `${made.prefix}My "Login"`;
  other = `${made.prefix}other`;
  await run(`create role ${me()} login createrole; create role ${other} login createrole`);
  await run(`grant create on database ${made.database.name} to ${me()}`);
  await run(`alter schema "Shop 1" owner to ${me()}`);
  await run(`alter table ${order} owner to ${me()}; alter table "Shop 1".line owner to ${me()}`);
  await run(`alter function "Shop 1".double owner to ${me()}`);
  await run(`alter function "Shop 1".count_all owner to ${me()}`);
});
afterEach(async () => {
  await made.drop();
  await removeMetadata();
});

const order = `"Shop 1"."Order ""A"""`;
const me = () => pg.escapeIdentifier(login);
const run = (sql: string) => superuser.query(sql);

/** Applies the metadata on a new connection of a login. */
async function applyAs(name: string): Promise<Applied> {
  const client = await made.connectAs(name);
  const { metadata, prefix } = made;
  return applyMetadata(client, { metadata, rolePrefix: prefix, headerPrefix: 'X-Gql-' });
}

/** Lets apply fail, runs the statements that it prints as the superuser, and returns them. */
async function repair(): Promise<readonly string[]> {
  const before = await catalogState(superuser, made.prefix);
  const failure = await failureOf(applyAs(login));
  expect(failure).toBeInstanceOf(MetadataError);
  expect(await catalogState(superuser, made.prefix)).toEqual(before);
  const [, block = ''] = failure.message.split('as a superuser, in this database:\n');
  const statements = block.split('\n').map((line) => line.trim());
  for (const statement of statements) await run(statement);
  return statements;
}

async function expectApplied(): Promise<void> {
  await applyAs(login);
  expect((await applyAs(login)).plan.changes).toEqual([]);
}

describe('apply prints the statements after which it succeeds, when its login lacks', () => {
  test('CREATEROLE', async () => {
    await run(`alter role ${me()} nocreaterole`);
    expect(await repair()).toEqual([`alter role ${me()} createrole;`]);
    await expectApplied();
  });

  test('CREATE on the database', async () => {
    await run(`revoke create on database ${made.database.name} from ${me()}`);
    expect(await repair()).toEqual([
      `grant create on database "${made.database.name}" to ${me()};`,
    ]);
    await expectApplied();
  });

  test('the rights of the owner of a table', async () => {
    await run(`alter table ${order} owner to ${other}`);
    const options = since(16) ? ' with inherit true, set false' : '';
    expect(await repair()).toEqual([`grant "${other}" to ${me()}${options};`]);
    await expectApplied();
  });

  test('ownership of a table of a superuser', async () => {
    await run(`alter table ${order} owner to current_user`);
    expect(await repair()).toEqual([`alter table ${order} owner to ${me()};`]);
    await expectApplied();
  });

  test('ownership of a table whose owner is a member of the login', async () => {
    await run(`alter table ${order} owner to ${other}; grant ${me()} to ${other}`);
    expect(await repair()).toEqual([`alter table ${order} owner to ${me()};`]);
    await expectApplied();
  });

  test('ownership of a table whose owner is a member of a superuser', async () => {
    const boss = `${made.prefix}boss`;
    await run(
      `create role ${boss}; do $$ begin execute format('grant %I to ${boss}', current_user); end $$`,
    );
    await run(`alter table ${order} owner to ${boss}`);
    expect(await repair()).toEqual([`alter table ${order} owner to ${me()};`]);
    await expectApplied();
    const { rows } = await superuser.query(
      "select rolname from pg_roles where rolsuper and pg_has_role($1, oid, 'MEMBER')",
      [login],
    );
    expect(rows).toEqual([]);
  });

  test.each([
    ['is indirectly a member of a predefined role', 'in role MIDDLE'],
    ['bypasses row security', 'bypassrls'],
    ['may replicate', 'replication'],
    ['may create databases', 'createdb'],
  ])('ownership of a table whose owner %s', async (_, options) => {
    const [boss, middle] = [`${made.prefix}boss`, `${made.prefix}middle`];
    await run(`create role ${middle} in role pg_read_server_files`);
    await run(`create role ${boss} ${options.replace('MIDDLE', middle)}`);
    await run(`alter table ${order} owner to ${boss}`);
    expect(await repair()).toEqual([`alter table ${order} owner to ${me()};`]);
    await expectApplied();
  });

  test('ownership of a table whose owner may create roles, which the login may not', async () => {
    await run(`alter table ${order} owner to ${other}; alter role ${me()} nocreaterole`);
    expect(await repair()).toEqual([
      `alter role ${me()} createrole;`,
      `alter table ${order} owner to ${me()};`,
    ]);
    await expectApplied();
  });

  test('the rights of its memberships, because it does not inherit', async () => {
    await run(`alter role ${me()} noinherit; alter table ${order} owner to ${other}`);
    await run(`grant ${other} to ${me()}`);
    await repair();
    await expectApplied();
  });

  test('USAGE on the schema of the tables', async () => {
    await run('alter schema "Shop 1" owner to current_user');
    await run(`revoke all on schema "Shop 1" from ${me()}`);
    expect(await repair()).toEqual([
      `grant usage on schema "Shop 1" to ${me()} with grant option;`,
    ]);
    await expectApplied();
  });

  test('the grant option of USAGE on the schema of the tables', async () => {
    await run('alter schema "Shop 1" owner to current_user');
    await run(`grant usage on schema "Shop 1" to ${me()}`);
    expect(await repair()).toEqual([
      `grant usage on schema "Shop 1" to ${me()} with grant option;`,
    ]);
    await expectApplied();
  });

  test('the grant option on a sequence that a default reads', async () => {
    await run(
      `create sequence "Shop 1"."Numbers"; alter table ${order} alter id set default nextval('"Shop 1"."Numbers"')`,
    );
    expect(await repair()).toEqual([
      `grant usage on sequence "Shop 1"."Numbers" to ${me()} with grant option;`,
    ]);
    await expectApplied();
  });

  test('the grant option on the function of a computed field', async () => {
    await run('alter function "Shop 1".double owner to current_user');
    await run(`revoke execute on function "Shop 1".double from public`);
    await made.rewrite({
      ...rules,
      'tables/order.yaml': rules['tables/order.yaml']
        .replace('columns: [id, note] }', 'columns: [id, note], computed_fields: [twice] }')
        .concat('computed_fields: { twice: { function: { schema: Shop 1, name: double } } }\n'),
    });
    expect(await repair()).toEqual([
      `grant execute on function "Shop 1"."double"("Shop 1"."Order ""A""") to ${me()} with grant option;`,
    ]);
    await expectApplied();
  });

  test('the right to keep PUBLIC from a function with the rights of its owner', async () => {
    await run('alter function "Shop 1".count_all owner to current_user');
    await made.rewrite({
      ...rules,
      'functions/count_all.yaml':
        'function: { schema: Shop 1, name: count_all }\npermissions: [clerk]\nrights: owner\n',
    });
    expect(await repair()).toEqual([
      'revoke execute on function "Shop 1"."count_all"() from public;',
      `grant execute on function "Shop 1"."count_all"() to ${me()} with grant option;`,
    ]);
    await expectApplied();
    const { rows } = await superuser.query(
      "select proowner = current_user::regrole as kept from pg_proc where proname = 'count_all'",
    );
    expect(rows).toEqual([{ kept: true }]);
  });

  test('USAGE on the language of generated functions', async () => {
    await run('revoke usage on language plpgsql from public');
    expect(await repair()).toEqual([`grant usage on language plpgsql to ${me()};`]);
    await expectApplied();
  });

  test.runIf(since(16))(
    'the ADMIN option on a role that a role of others has as a member',
    async () => {
      await applyAs(login);
      await run(`grant pg_monitor to "${made.prefix}buyer"`);
      expect(await repair()).toEqual([`revoke "pg_monitor" from "${made.prefix}buyer";`]);
      await expectApplied();
    },
  );

  test.runIf(since(16))('the ADMIN option on one of its roles', async () => {
    await applyAs(login);
    await run(`revoke admin option for "${made.prefix}clerk" from ${me()} cascade`);
    await made.rewrite({
      'roles.yaml': rules['roles.yaml'].replace(', clerk: {}', ''),
      'tables/order.yaml': rules['tables/order.yaml'],
    });
    expect(await repair()).toEqual([
      `grant "${made.prefix}clerk" to ${me()} with admin true, inherit false, set false;`,
    ]);
    await expectApplied();
  });

  test('ownership of a table that the metadata no longer names, which only Postgres reports', async () => {
    await applyAs(login);
    await run('alter table "Shop 1".line owner to current_user');
    const { 'tables/line.yaml': _, ...others } = rules;
    await made.rewrite(others);
    expect(await repair()).toEqual([`alter table "Shop 1"."line" owner to ${me()};`]);
    await expectApplied();
  });

  test('several of these, all at once', async () => {
    await run(`alter role ${me()} nocreaterole; alter table ${order} owner to current_user`);
    await run(`revoke create on database ${made.database.name} from ${me()}`);
    expect(await repair()).toEqual([
      `grant create on database "${made.database.name}" to ${me()};`,
      `alter role ${me()} createrole;`,
      `alter table ${order} owner to ${me()};`,
    ]);
    await expectApplied();
  });
});

describe('apply prints the statements for another login than the first one, when', () => {
  test('a superuser applied before', async () => {
    const { metadata, prefix } = made;
    await applyMetadata(superuser, { metadata, rolePrefix: prefix, headerPrefix: 'X-Gql-' });
    await run(`alter role ${me()} nocreaterole`);
    const statements = await repair();
    expect(statements).toContain(`alter role ${me()} createrole;`);
    expect(statements).toContain(`alter schema "rowgate" owner to ${me()};`);
    await expectApplied();
    await made.rewrite({
      ...rules,
      'roles.yaml': rules['roles.yaml'].replace('clerk: {}', 'clerk: {}, extra: {}'),
    });
    await expectApplied();
  });

  test('a role that is no superuser applied before', async () => {
    await run(`grant create on database ${made.database.name} to ${other}`);
    await run(
      `alter schema "Shop 1" owner to ${other}; alter table "Shop 1".line owner to ${other}`,
    );
    await run(`alter table ${order} owner to ${other}`);
    await applyAs(other);
    const options = since(16) ? ' with inherit true, set false' : '';
    expect(await repair()).toEqual([`grant "${other}" to ${me()}${options};`]);
    await expectApplied();
    await made.rewrite({
      ...rules,
      'roles.yaml': rules['roles.yaml'].replace('clerk: {}', 'clerk: {}, extra: {}'),
    });
    await expectApplied();
  });
});

describe('an error of Postgres leads to statements only for what it names:', () => {
  /** Lets a statement of the login fail, and returns the statements that would give the missing privilege. */
  async function explain(sql: string): Promise<readonly string[]> {
    const client = await made.connectAs(login);
    const failure = await client.query(sql).catch((error: unknown) => error);
    return refusalStatements(client, failure as Error);
  }

  const refused = (role: string) =>
    explain(`alter table "Shop 1".line owner to ${pg.escapeIdentifier(role)}`);

  test('a role whose name holds a quote is offered whole', async () => {
    const role = `${other}" x`;
    await run(`create role ${pg.escapeIdentifier(role)}`);
    const options = since(16) ? ' with inherit true, set true' : '';
    expect(await refused(role)).toEqual([
      `grant ${pg.escapeIdentifier(role)} to ${me()}${options}`,
    ]);
    await run(`drop role ${pg.escapeIdentifier(role)}`);
  });

  test('a superuser is never offered', async () => {
    const { rows } = await run('select current_user::text as role');
    expect(await refused(rows[0].role)).toEqual([]);
  });

  test('a role that reaches a predefined one is never offered', async () => {
    await run(`grant pg_read_server_files to ${other}`);
    expect(await refused(other)).toEqual([]);
  });

  test('an error that a function raises leads to nothing', async () => {
    const raised = `must be member of role "${other}"`;
    const sql = `do $$ begin raise insufficient_privilege using message = '${raised}'; end $$`;
    expect(await explain(sql)).toEqual([]);
  });

  test('a parameter type with an escape sequence is printed escaped', async () => {
    await run(`create type "Shop 1"."a\x1bb" as (x int)`);
    await run(
      `create function "Shop 1".hidden("Shop 1"."a\x1bb") returns int language sql as 'select 1'`,
    );
    await run(`alter function "Shop 1".hidden owner to current_user`);
    expect(
      await explain(`alter function "Shop 1".hidden("Shop 1"."a\x1bb") rename to other`),
    ).toEqual([`alter function "Shop 1"."hidden"("Shop 1".U&"a\\+00001bb") owner to ${me()}`]);
  });
});
