import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withLogin } from '../../../server/db/url.ts';
import { runCommand } from '../../support/command-line.ts';
import { ask, failureOf } from '../support/as-role.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const own = '{ org_id: { _eq: X-Gql-Org-Id } }';
const long = 'n'.repeat(62);

const schema = `
create schema billing;
create table invoice (id integer primary key, org_id integer not null, title text not null, secret text not null);
create index on invoice (org_id);
insert into invoice select n, 1 + n % 2, 'title ' || n, 'secret ' || n from generate_series(1, 6) n;
create table billing.invoice (id integer primary key, org_id integer not null, total numeric, paid boolean);
insert into billing.invoice values (1, 1, 10, true), (2, 2, 20, false);
create table "billing_invoice" (id integer primary key, org_id integer not null, note text);
insert into billing_invoice values (7, 1, 'ours'), (8, 2, 'theirs');
create table billing.${long}a (id integer primary key, org_id integer not null);
create table billing.${long}b (id integer primary key, org_id integer not null);
create table billing."Ann ""the"" 'x' \\y" (id integer primary key, org_id integer not null, "a ""b"" '" text, "select" text);
insert into billing."Ann ""the"" 'x' \\y" values (1, 1, 'mine', 'kept'), (2, 2, 'theirs', 'hidden');
create table state (name text primary key, comment text);
insert into state values ('open', 'Open'), ('paid', 'Paid');
create view summary as select org_id, count(*) as invoices, sum(length(secret)) as hidden from invoice group by org_id;
create function shout(i invoice) returns text language sql stable as $$ select upper(i.title) $$;
create function shout_note(b billing_invoice) returns text language sql stable as $$ select upper(b.note) $$;
analyze;
`;

const tables = {
  'tables/invoice.yaml': `
table: invoice
computed_fields: { shouted: { function: shout } }
permissions:
  clerk:
    select: { filter: ${own}, columns: [id, org_id, title] }
    insert: { check: ${own}, columns: [org_id, title] }
    update: { filter: ${own}, columns: [title] }
    delete: { filter: ${own} }
  auditor:
    select: { filter: { org_id: { _eq: 2 } }, columns: '*', computed_fields: [shouted] }
`,
  'tables/billing.invoice.yaml': `
table: { schema: billing, name: invoice }
graphql: { name: bill }
permissions:
  clerk: { select: { filter: ${own}, columns: [total, id] } }
`,
  'tables/billing_invoice.yaml': `
table: billing_invoice
computed_fields: { shouted: { function: shout_note } }
permissions:
  clerk: { select: { filter: ${own}, columns: [id], computed_fields: [shouted] } }
`,
  'tables/a.yaml': `table: { schema: billing, name: ${long}a }\npermissions:\n  clerk: { select: { filter: ${own}, columns: [id] } }\n`,
  'tables/b.yaml': `table: { schema: billing, name: ${long}b }\npermissions:\n  clerk: { select: { filter: ${own}, columns: [id] } }\n`,
  'tables/hostile.yaml': `
table: { schema: billing, name: "Ann \\"the\\" 'x' \\\\y" }
permissions:
  clerk: { select: { filter: ${own}, columns: ["a \\"b\\" '", select] } }
`,
  'tables/state.yaml':
    'table: state\nis_enum: true\npermissions:\n  clerk: { select: { filter: {}, columns: [name] } }\n',
  'tables/summary.yaml': `
table: summary
permissions:
  clerk: { select: { filter: ${own}, columns: [org_id, invoices] } }
`,
};
const roles =
  'roles: { clerk: { requires: [X-Gql-Org-Id] }, auditor: {}, both: { inherits: [clerk, auditor] } }\n';

let made: Installation;
let superuser: pg.Client;
let clients: pg.Client[] = [];
let folder: string;
let count = 0;

async function rowgate(...args: readonly string[]) {
  const secret = 'a'.repeat(40);
  const reads = !['login drop', 'login list'].includes(args.slice(0, 2).join(' '));
  return runCommand([...args, ...(reads ? ['--metadata', made.metadata] : [])], {
    DATABASE_URL: made.database.ownerUrl,
    ROWGATE_ROLE_PREFIX: made.prefix,
    ROWGATE_ADMIN_SECRET: secret,
    ROWGATE_PLATFORM_ADMIN_SECRET: secret,
    ROWGATE_DATA_DIR: folder,
  });
}

/** Runs `login create` for a new name, and returns the name and the result. */
async function create(role: string, ...more: readonly string[]) {
  count += 1;
  const name = `${made.prefix.replace(/_$/, '')}login_${count}`;
  const done = await rowgate('login', 'create', name, '--role', role, ...more);
  return { name, done };
}

/** Creates a login of the role clerk with views, and connects as psql does. */
async function clerk(org = '1'): Promise<pg.Client> {
  const { name, done } = await create('clerk', '--var', `X-Gql-Org-Id=${org}`, '--views');
  expect(done.code, done.stderr).toBe(0);
  return connect(name, done.stdout.trim());
}

async function connect(name: string, password: string): Promise<pg.Client> {
  const connectionString = withLogin(made.database.ownerUrl, name, password);
  const client = new pg.Client({ connectionString });
  clients.push(client);
  await client.connect();
  return client;
}

/** Writes the metadata, with some of its files changed. */
const rewrite = (changed: Readonly<Record<string, string>> = {}) =>
  made.rewrite({ 'roles.yaml': roles, ...tables, ...changed });
const rowsOf = async (client: pg.ClientBase, sql: string) => (await client.query(sql)).rows;
const cells = async (client: pg.ClientBase, sql: string) => (await ask(client, sql)).rows.flat();
const shownColumns = `select table_name || '.' || column_name from information_schema.columns
  where table_schema = 'reporting_clerk' order by table_name, ordinal_position`;

beforeAll(async () => {
  made = await makeInstallation({
    schema,
    rules: { 'roles.yaml': roles, ...tables },
    prefix: `t${randomBytes(4).toString('hex')}_`,
  });
  folder = `${made.metadata}/.rowgate`;
  superuser = await made.database.connectSuperuser();
  await made.apply();
});
beforeEach(async () => {
  await Promise.allSettled(clients.map((client) => client.end()));
  clients = [];
  for (let number = 1; number <= count; number += 1) {
    await rowgate('login', 'drop', `${made.prefix.replace(/_$/, '')}login_${number}`);
  }
  count = 0;
});
afterAll(async () => {
  await Promise.allSettled(clients.map((client) => client.end()));
  await rowgate('uninstall', '--yes');
  await made.drop();
  await removeMetadata();
});

describe('a login made with --views', () => {
  test('reads its rows and columns with select * under the plain name of the table', async () => {
    const ann = await clerk();
    expect(await rowsOf(ann, 'select * from invoice order by id')).toEqual([
      { id: 2, org_id: 1, title: 'title 2' },
      { id: 4, org_id: 1, title: 'title 4' },
      { id: 6, org_id: 1, title: 'title 6' },
    ]);
  });

  test('finds exactly the columns of its role in information_schema', async () => {
    const hostile = `billing_Ann "the" 'x' \\y`;
    const found = await cells(await clerk(), shownColumns);
    expect(found.filter((one) => !one?.includes('_nnn'))).toEqual([
      `${hostile}.a "b" '`,
      `${hostile}.select`,
      'billing_invoice.id',
      'billing_invoice.shouted',
      expect.stringMatching(/^billing_invoice_[0-9a-f]{8}\.id$/),
      expect.stringMatching(/^billing_invoice_[0-9a-f]{8}\.total$/),
      'invoice.id',
      'invoice.org_id',
      'invoice.title',
      'state.name',
      'summary.org_id',
      'summary.invoices',
    ]);
  });

  test('finds two tables whose names Postgres would cut to the same name', async () => {
    const names = await cells(
      await clerk(),
      "select table_name from information_schema.tables where table_schema = 'reporting_clerk' and table_name ~ '^billing_n+_'",
    );
    expect(names.map((name) => name?.replace(/[0-9a-f]{8}$/, ''))).toEqual([
      `billing_${'n'.repeat(46)}_`,
      `billing_${'n'.repeat(46)}_`,
    ]);
    expect(new Set(names).size).toBe(2);
  });

  test('reads tables of other schemas, views and computed fields with the rows of its role', async () => {
    const ann = await clerk();
    const [billing] = await cells(
      ann,
      "select relname from pg_class where relname ~ '^billing_invoice_' and relkind = 'v'",
    );
    expect(await rowsOf(ann, `select * from ${billing}`)).toEqual([{ id: 1, total: '10' }]);
    expect(await rowsOf(ann, 'select * from billing_invoice')).toEqual([
      { id: 7, shouted: 'OURS' },
    ]);
    expect(await rowsOf(ann, 'select * from summary')).toEqual([{ org_id: 1, invoices: '3' }]);
    expect(await rowsOf(ann, 'select * from state order by 1')).toEqual([
      { name: 'open' },
      { name: 'paid' },
    ]);
    expect(await rowsOf(ann, `select * from "billing_Ann ""the"" 'x' \\y"`)).toEqual([
      { 'a "b" \'': 'mine', select: 'kept' },
    ]);
  });

  test('reads a computed field whose function takes the whole row', async () => {
    const { name, done } = await create('auditor', '--views');
    const bo = await connect(name, done.stdout.trim());
    expect(await rowsOf(bo, 'select * from invoice where id = 1')).toEqual([
      { id: 1, org_id: 2, title: 'title 1', secret: 'secret 1', shouted: 'TITLE 1' },
    ]);
  });

  test('reads null where an inherited role hides a column or a computed field of a row', async () => {
    const { name, done } = await create('both', '--var', 'X-Gql-Org-Id=1', '--views');
    const bo = await connect(name, done.stdout.trim());
    expect(await rowsOf(bo, 'select * from invoice where id < 3 order by id')).toEqual([
      { id: 1, org_id: 2, title: 'title 1', secret: 'secret 1', shouted: 'TITLE 1' },
      { id: 2, org_id: 1, title: 'title 2', secret: null, shouted: null },
    ]);
  });

  test('cannot write through the views, although its role may write the table', async () => {
    const ann = await clerk();
    for (const sql of [
      "insert into reporting_clerk.invoice values (90, 1, 'new')",
      "update reporting_clerk.invoice set title = 'new'",
      'delete from reporting_clerk.invoice',
    ]) {
      expect(await failureOf(ann.query(sql)), sql).toMatchObject({
        code: '42501',
        message: 'permission denied for view invoice',
      });
    }
  });

  test('cannot create, replace, drop or hand on anything in the schema', async () => {
    const ann = await clerk();
    for (const sql of [
      'create table reporting_clerk.mine (id integer)',
      'create or replace view reporting_clerk.invoice as select 1 as id',
      "create function reporting_clerk.lower(text) returns text language sql as 'select $1'",
      'drop view reporting_clerk.invoice',
      'alter view reporting_clerk.invoice rename to other',
      'alter view reporting_clerk.invoice reset (security_invoker)',
      'create rule r as on insert to reporting_clerk.invoice do instead nothing',
      'alter schema reporting_clerk rename to other',
    ]) {
      expect((await failureOf(ann.query(sql))).code, sql).toBe('42501');
    }
    await ann.query(`grant select on reporting_clerk.invoice to public`);
    expect(await made.pending()).toEqual([]);
  });

  test('makes no other login see its rows: two tenants share the views and each sees its own', async () => {
    const [ann, bo] = [await clerk('1'), await clerk('2')];
    const sql = 'select id from invoice order by id';
    expect(await cells(ann, sql)).toEqual(['2', '4', '6']);
    expect(await cells(bo, sql)).toEqual(['1', '3', '5']);
  });
});

describe('a hidden row', () => {
  test('does not reach a function of the login, however cheap the function claims to be', async () => {
    const ann = await clerk();
    await ann.query(`create function pg_temp.leak(value text) returns boolean language plpgsql cost 0.0000001 as
      $$ begin raise notice '%', value; return true; end $$`);
    const seen: (string | undefined)[] = [];
    ann.on('notice', ({ message }) => seen.push(message));
    await ann.query(
      'select id from invoice where pg_temp.leak(title) order by pg_temp.leak(title)',
    );
    await ann.query(
      'select count(*) from invoice where title::text like any (select pg_temp.leak(i.title)::text from invoice i)',
    );
    expect(new Set(seen)).toEqual(new Set(['title 2', 'title 4', 'title 6']));
  });

  test('causes no error by its values', async () => {
    const ann = await clerk();
    const { rows } = await ann.query(
      'select id from invoice where 1 / (id % 2 - 1) < 5 order by 1 / (id % 2 - 1), id',
    );
    expect(rows.map(({ id }) => id)).toEqual([2, 4, 6]);
  });

  test('stays hidden when the login sets variables, row_security or its search_path', async () => {
    const ann = await clerk();
    await ann.query(
      "set gql.org_id = '2'; set row_security = on; set search_path = reporting_clerk, pg_catalog",
    );
    expect(await cells(ann, 'select id from invoice order by id')).toEqual(['2', '4', '6']);
    await ann.query('set row_security = off');
    expect((await failureOf(ann.query('select id from invoice'))).code).toBe('42501');
  });

  test('shows no statistics of a view or of a column that the role may not read', async () => {
    const ann = await clerk();
    expect(
      await cells(
        ann,
        "select tablename || attname from pg_stats where schemaname in ('public', 'billing', 'reporting_clerk')",
      ),
    ).toEqual([]);
  });

  test('stays hidden from a temporary table with the name of the table', async () => {
    const ann = await clerk();
    await ann.query('create temp table invoice (id integer, org_id integer, title text)');
    expect(await cells(ann, 'select id from reporting_clerk.invoice order by id')).toEqual([
      '2',
      '4',
      '6',
    ]);
  });
});

describe('changes after login create', () => {
  const rule = (text: string) => ({
    'tables/invoice.yaml': tables['tables/invoice.yaml'].replace(
      'columns: [id, org_id, title] }\n    insert',
      `${text} }\n    insert`,
    ),
  });
  const columnsOfInvoice = (client: pg.ClientBase) =>
    cells(
      client,
      "select column_name from information_schema.columns where table_schema = 'reporting_clerk' and table_name = 'invoice' order by ordinal_position",
    );

  test('leave the plan empty and drift silent at first', async () => {
    await clerk();
    expect(await made.pending()).toEqual([]);
    expect((await rowgate('drift')).stdout).toBe('no drift\n');
    expect((await rowgate('plan')).code).toBe(0);
    expect(await made.findings()).toEqual([]);
  });

  test('leave the views out of the catalog, so that init, track and catalog files do not list them', async () => {
    await clerk();
    const { catalog } = (await made.prepare()).loaded;
    const schemas = new Set(catalog.data.tables.map((table) => table.schema));
    expect([...schemas].toSorted()).toEqual(['billing', 'public']);
  });

  test('leave the plan empty after the login is dropped', async () => {
    await clerk();
    await rowgate('login', 'drop', `${made.prefix.replace(/_$/, '')}login_1`);
    expect(await made.pending()).toEqual([]);
    expect((await rowgate('drift')).stdout).toBe('no drift\n');
  });

  test('of a rule reach the view with the next apply', async () => {
    const ann = await clerk();
    await rewrite(rule('columns: [id, secret]'));
    expect(await made.pending()).toContain('replace view reporting_clerk.invoice for logins');
    await made.apply();
    expect(await columnsOfInvoice(ann)).toEqual(['id', 'secret']);
    expect(await rowsOf(ann, 'select * from invoice where id = 2')).toEqual([
      { id: 2, secret: 'secret 2' },
    ]);
    await rewrite(rule('columns: [id, org_id, title]'));
    await made.apply();
    expect(await made.pending()).toEqual([]);
    expect(await columnsOfInvoice(ann)).toEqual(['id', 'org_id', 'title']);
  });

  test('wait for a login that reads its view in a transaction, and RG_LOCKED names it', async () => {
    const ann = await clerk();
    await ann.query('begin; select * from invoice');
    const [holder] = await rowsOf(
      ann,
      "select pg_backend_pid() || ' (\"' || session_user || '\")' as name",
    );
    await rewrite(rule('columns: [id]'));
    const locked = await failureOf(made.apply({ attempts: 1 }));
    await ann.query('commit');
    await made.apply();
    expect(await columnsOfInvoice(ann)).toEqual(['id']);
    await rewrite();
    await made.apply();
    expect(locked.message).toContain(
      `RG_LOCKED another session keeps locks on what apply must change, and nothing was changed; sessions that hold such locks now, by pid: ${holder.name}; end it`,
    );
  });

  test('that add a column to the table show it only to roles whose rules do', async () => {
    const ann = await clerk();
    const { name, done } = await create('auditor', '--views');
    const bo = await connect(name, done.stdout.trim());
    await made.owner.query('alter table invoice add column margin integer default 5');
    expect(await columnsOfInvoice(ann)).toEqual(['id', 'org_id', 'title']);
    await made.apply();
    expect(await columnsOfInvoice(ann)).toEqual(['id', 'org_id', 'title']);
    expect(await rowsOf(bo, 'select * from invoice where id = 1')).toMatchObject([{ margin: 5 }]);
    await made.owner.query('alter table invoice drop column margin cascade');
    await made.apply();
    expect(await made.pending()).toEqual([]);
  });

  test('that drop a column need cascade, and the next apply makes the view without it', async () => {
    const ann = await clerk();
    await made.owner.query('alter table invoice add column margin integer default 5');
    await rewrite(rule('columns: [id, margin]'));
    await made.apply();
    expect((await failureOf(made.owner.query('alter table invoice drop column margin'))).code).toBe(
      '2BP01',
    );
    await made.owner.query('alter table invoice drop column margin cascade');
    await rewrite(rule('columns: [id, org_id, title]'));
    await made.apply();
    expect(await columnsOfInvoice(ann)).toEqual(['id', 'org_id', 'title']);
    expect(await cells(ann, 'select count(*) from invoice')).toEqual(['3']);
  });

  test('of the type of a column work after the owner of the table drops the view', async () => {
    const ann = await clerk();
    const alter = (type: string) =>
      made.owner.query(
        `drop view reporting_clerk.state; alter table state alter column name type ${type}`,
      );
    await alter('varchar(90)');
    expect((await rowgate('drift')).stdout).toContain(
      'view reporting_clerk.state for logins is missing',
    );
    await made.apply();
    expect(await cells(ann, 'select count(*) from state')).toEqual(['2']);
    await alter('text');
    await made.apply();
  });

  test('of the name of the table leave the rows of the view those of the role', async () => {
    const ann = await clerk();
    await made.owner.query(
      'alter table invoice rename to old_invoice; create table invoice (id integer primary key, org_id integer, title text, secret text); insert into invoice values (99, 1, $$x$$, $$y$$)',
    );
    expect(await cells(ann, 'select id from reporting_clerk.invoice order by id')).toEqual([
      '2',
      '4',
      '6',
    ]);
    await made.owner.query('drop table invoice; alter table old_invoice rename to invoice');
    expect(await made.pending()).toEqual([]);
  });

  test('of the policy of the table count for the view at once', async () => {
    const ann = await clerk();
    await made.owner.query(`drop policy "rowgate/clerk/select" on invoice`);
    expect(await cells(ann, 'select id from invoice')).toEqual([]);
    await made.apply();
    expect(await cells(ann, 'select id from invoice order by id')).toEqual(['2', '4', '6']);
  });

  test('that take the role out of the metadata take its schema out of the database', async () => {
    const { name, done } = await create('auditor', '--views');
    expect(done.code).toBe(0);
    const without = (text: string) => text.replace(/\n {2}auditor:\n.*\n/, '\n');
    await rewrite({
      'roles.yaml': 'roles: { clerk: { requires: [X-Gql-Org-Id] } }\n',
      'tables/invoice.yaml': without(tables['tables/invoice.yaml']),
    });
    await rowgate('login', 'drop', name);
    await create('clerk', '--var', 'X-Gql-Org-Id=1', '--views');
    await made.apply();
    expect(
      await cells(superuser, "select nspname from pg_namespace where nspname ~ '^reporting_'"),
    ).toEqual([]);
    await rewrite({
      'roles.yaml': roles,
      'tables/invoice.yaml': tables['tables/invoice.yaml'],
    });
    await made.apply();
  });
});

describe('drift', () => {
  const cases = [
    [
      'a view without security_invoker',
      'alter view reporting_clerk.invoice reset (security_invoker)',
      'view reporting_clerk.invoice for logins was altered',
    ],
    [
      'a view with another text',
      'create or replace view reporting_clerk.invoice with (security_invoker) as select id, org_id, secret as title from invoice',
      'view reporting_clerk.invoice for logins was altered',
    ],
    [
      'a view that nobody asked for',
      'create view reporting_clerk.extra as select 1 as one',
      'view reporting_clerk.extra for logins was added',
    ],
    [
      'a privilege of PUBLIC on a view',
      'grant select on reporting_clerk.invoice to public',
      'select on reporting_clerk.invoice of public was added',
    ],
    [
      'the right to write a view',
      'grant update on reporting_clerk.invoice to "PREFIXclerk"',
      'update on reporting_clerk.invoice of PREFIXclerk was added',
    ],
    [
      'CREATE on the schema',
      'grant create on schema reporting_clerk to public',
      'create on schema reporting_clerk of public was added',
    ],
    [
      'a missing view',
      'drop view reporting_clerk.invoice',
      'view reporting_clerk.invoice for logins is missing',
    ],
    [
      'a missing schema',
      'drop schema reporting_clerk cascade',
      'schema reporting_clerk of views for clerk is missing',
    ],
  ] as const;

  test.each(cases)('reports %s, and apply repairs it', async (_what, sql, difference) => {
    const ann = await clerk();
    await superuser.query(sql.replace('PREFIX', made.prefix));
    const { stdout } = await rowgate('drift');
    expect(stdout).toContain(difference.replace('PREFIX', made.prefix));
    await made.apply();
    expect((await rowgate('drift')).stdout).toBe('no drift\n');
    expect(await rowsOf(ann, 'select * from invoice where id = 2')).toEqual([
      { id: 2, org_id: 1, title: 'title 2' },
    ]);
  });
});

describe('a thing that a superuser took over', () => {
  test.each([
    ['schema reporting_clerk', 'schema reporting_clerk of views for clerk was altered'],
    ['view reporting_clerk.invoice', 'view reporting_clerk.invoice for logins was altered'],
  ])('is drift until it is given back: %s', async (target, difference) => {
    await clerk();
    await superuser.query(`alter ${target} owner to current_user`);
    const { stdout } = await rowgate('drift');
    await superuser.query(`alter ${target} owner to rowgate_owner`);
    expect(stdout).toContain(difference);
    expect((await rowgate('drift')).stdout).toBe('no drift\n');
  });
});

describe('apply as a superuser refuses', () => {
  const applyAsSuperuser = () =>
    runCommand(['apply', '--yes', '--metadata', made.metadata], {
      DATABASE_URL: made.database.superuserUrl,
      ROWGATE_ROLE_PREFIX: made.prefix,
      ROWGATE_ADMIN_SECRET: 'a'.repeat(40),
      ROWGATE_PLATFORM_ADMIN_SECRET: 'a'.repeat(40),
      ROWGATE_DATA_DIR: folder,
    });
  const ownerOf = "select nspowner::regrole from pg_namespace where nspname = 'reporting_clerk'";

  test('a schema with the recorded name that another role made, and its functions', async () => {
    await clerk();
    const planter = `${made.prefix}planter`;
    await superuser.query(`create role ${planter}; drop schema reporting_clerk cascade;
      create schema reporting_clerk authorization ${planter}; set role ${planter};
      create function reporting_clerk.lower(text) returns text language sql as 'select $1'; reset role`);
    const { code, stderr } = await applyAsSuperuser();
    const owner = await cells(superuser, ownerOf);
    await superuser.query(`drop owned by ${planter} cascade; drop role ${planter}`);
    await made.apply();
    expect(code).toBe(1);
    expect(stderr).toContain(
      `schema "reporting_clerk", which logins search first for their views, belongs to "${planter}"`,
    );
    expect(stderr).toContain(
      'function reporting_clerk.lower(pg_catalog.text) is in schema "reporting_clerk", which logins search first',
    );
    expect(owner).toEqual([planter]);
  });

  test('a table, a type and an operator in the schema, until the printed statements ran', async () => {
    await clerk();
    await superuser.query(`create table reporting_clerk."a b" (id serial);
      create domain reporting_clerk.text as integer;
      create operator reporting_clerk.= (leftarg = text, rightarg = integer, function = pg_catalog.repeat)`);
    const { code, stderr } = await applyAsSuperuser();
    const statements = stderr.split('\n').filter((line) => line.startsWith('  drop '));
    await superuser.query(statements.join('\n'));
    expect(code).toBe(1);
    expect(statements).toEqual([
      '  drop operator if exists reporting_clerk.=(pg_catalog.text,integer);',
      '  drop table if exists reporting_clerk."a b";',
      '  drop type if exists reporting_clerk.text;',
    ]);
    expect((await applyAsSuperuser()).code).toBe(0);
  });
});

describe('login create --views', () => {
  test('uses the views of the role again for a second login', async () => {
    await clerk('1');
    const bo = await clerk('2');
    expect(await cells(bo, 'select count(*) from invoice')).toEqual(['3']);
  });

  test('takes the name of the schema, also one that needs quotes', async () => {
    const { name, done } = await create('auditor', '--views', '--views-schema', `B"I 'x'`);
    const bo = await connect(name, done.stdout.trim());
    expect(await cells(bo, 'select current_schema()')).toEqual([`B"I 'x'`]);
    expect(await cells(bo, 'select count(*) from invoice')).toEqual(['3']);
    expect(await made.pending()).toEqual([]);
    expect((await rowgate('login', 'list')).stdout).toContain(`views=B"I 'x'`);
  });

  test('refuses a schema that exists, and leaves no login behind', async () => {
    const { name, done } = await create('auditor', '--views', '--views-schema', 'billing');
    expect(done.code).toBe(1);
    expect(done.stderr).toContain('RG_LOGIN');
    expect(done.stderr).toContain('there is a schema "billing" already');
    expect(await cells(superuser, `select 1 from pg_roles where rolname = '${name}'`)).toEqual([]);
    expect(await made.pending()).toEqual([]);
  });

  test('refuses another schema for a role that has its views already', async () => {
    await clerk();
    const { done } = await create(
      'clerk',
      '--var',
      'X-Gql-Org-Id=1',
      '--views',
      '--views-schema',
      'other',
    );
    expect(done.stderr).toContain(
      'the views of role clerk are in schema "reporting_clerk" already',
    );
  });

  test.each([
    ['$user', 'Postgres reads it as the name of the login'],
    ['pg_views', 'it begins with pg_'],
    ['x'.repeat(64), 'it is 64 bytes long'],
  ])('refuses the schema name %s', async (name, reason) => {
    const { done } = await create('auditor', '--views', '--views-schema', name);
    expect([done.code, done.stderr]).toEqual([2, expect.stringContaining(reason)]);
  });

  test('refuses --views-schema without --views', async () => {
    const { done } = await create('auditor', '--views-schema', 'bi');
    expect([done.code, done.stderr]).toEqual([
      2,
      expect.stringContaining('it has no effect without --views'),
    ]);
  });

  test('refuses while changes of the metadata are not applied', async () => {
    await rewrite({
      'tables/state.yaml': tables['tables/state.yaml'].replace('[name]', "'*'"),
    });
    const { done } = await create('clerk', '--var', 'X-Gql-Org-Id=1', '--views');
    await rewrite({ 'tables/state.yaml': tables['tables/state.yaml'] });
    expect(done.code).toBe(1);
    expect(done.stderr).toContain('run `rowgate apply` first');
    expect(await made.pending()).toEqual([]);
  });
});

describe('login drop and uninstall', () => {
  const schemas = () =>
    cells(superuser, "select nspname from pg_namespace where nspname ~ '^reporting_'");

  test('keep the views until the last login of the role is gone', async () => {
    const [ann] = [await create('clerk', '--var', 'X-Gql-Org-Id=1', '--views')];
    const bo = await create('clerk', '--var', 'X-Gql-Org-Id=2');
    await rowgate('login', 'drop', ann.name);
    expect(await schemas()).toEqual(['reporting_clerk']);
    const { stdout, code, stderr } = await rowgate('login', 'drop', bo.name);
    expect([code, stdout, stderr]).toEqual([0, `removed login ${bo.name}\n`, '']);
    expect(await schemas()).toEqual([]);
  });

  test('refuse to drop a schema that holds objects of others, and say which', async () => {
    const { name } = await create('clerk', '--var', 'X-Gql-Org-Id=1', '--views');
    await superuser.query('create table reporting_clerk.extra (id integer)');
    const { code, stderr } = await rowgate('login', 'drop', name);
    await superuser.query('drop table reporting_clerk.extra');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('table reporting_clerk.extra depends on schema reporting_clerk'),
    ]);
  });

  test('remove the schema and all views with uninstall', async () => {
    await clerk();
    const { code, stderr } = await rowgate('uninstall', '--yes');
    expect([code, stderr]).toEqual([0, '']);
    expect(await schemas()).toEqual([]);
    await made.apply();
  });
});
