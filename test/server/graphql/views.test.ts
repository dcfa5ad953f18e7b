import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorOf } from './support/error-of.ts';
import { type Gateway, startGateway } from './support/gateway.ts';

const schema = `
create table org (id int primary key, name text not null);
create table doc (id int primary key, org_id int not null references org, title text not null, status text not null default 'draft',
  secret text not null default 'hidden', made_by text, words text[]);
create table audit (doc_id int, who text);
create view open_doc as select d.id, d.org_id, d.title, d.status, d.secret, d.made_by, upper(d.title) as loud from doc d where d.status <> 'gone';
create view org_size as select o.id as org_id, o.name, count(d.*) as docs from org o left join doc d on d.org_id = o.id group by 1, 2;
create materialized view doc_copy as select * from doc;
create view "odd "" view" as select id as "odd "" id", org_id as "true", title from doc;
create view inbox as select id, org_id, title, made_by from doc limit 1000;
create function inbox_insert() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as
  $$ begin insert into doc (id, org_id, title, made_by) values (new.id, new.org_id, new.title, new.made_by); return new; end $$;
create trigger take instead of insert on inbox for each row execute function inbox_insert();
create function note() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as
  $$ begin insert into audit values (new.id, current_setting('role')); return new; end $$;
create trigger note after insert or update on doc for each row execute function note();
create function doc_words(d open_doc) returns text language sql stable set search_path = pg_catalog, pg_temp as $$ select d.title || '!' $$;
create function open_docs() returns setof open_doc language sql stable as $$ select * from open_doc $$;
create function leak(text) returns boolean language plpgsql cost 0.0000001 as $$ begin raise notice 'leaked %', $1; return true; end $$;
create table memo (id serial primary key, org_id int not null, title text not null);
create view memos as select id, org_id, org_id as tenant, title from memo;
create view tray with (security_barrier) as select id, org_id, title from memo;
create view above_tray as select id, org_id, title from tray;
create function tray_change() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as
  $$ begin if tg_op = 'DELETE' then delete from memo where id = old.id; return old; end if;
  update memo set title = new.title, org_id = new.org_id where id = old.id; return new; end $$;
create trigger change instead of update or delete on tray for each row execute function tray_change();`;

const rows = `
insert into memo (org_id, title) values (1, 'a'), (1, 'b'), (2, 'c'), (2, 'd');
insert into org values (1, 'one'), (2, 'two');
insert into doc values (1, 1, 'a', 'draft', 's1', 'x'), (2, 1, 'b', 'final', 's2', 'y'), (3, 2, 'c', 'draft', 's3', 'z'), (4, 1, 'd', 'gone', 's4', 'x');`;

const mine = '{ org_id: { _eq: X-Gql-Org } }';
const metadata = {
  'roles.yaml': `roles:
  member: { group: a, purpose: reads and writes the documents of an organization }
  writer: { group: a, purpose: writes and sees nothing }
  clerk: { group: a, purpose: writes by what others are called }
  left: { group: a, purpose: sees titles }
  right: { group: a, purpose: sees who made what }
  both: { group: a, purpose: sees what either sees, inherits: [left, right] }
  whole: { group: a, purpose: sees all of a document }
  left_and_whole: { group: a, purpose: sees what either sees, inherits: [left, whole] }
`,
  'tables/org.yaml': `table: org
relationships:
  documents: { table: open_doc, columns: { id: org_id }, kind: array }
  size: { table: org_size, columns: { id: org_id }, kind: object }
permissions:
  member: { select: { filter: { documents: { status: { _eq: final } } }, columns: '*' } }
`,
  'tables/doc.yaml': 'table: doc\n',
  'tables/open_doc.yaml': `table: open_doc
computed_fields:
  shout: { function: doc_words }
relationships:
  org: { table: org, columns: { org_id: id }, kind: object }
permissions:
  member:
    select: { filter: ${mine}, columns: [id, org_id, title, status, loud], allow_aggregations: true }
    insert: { check: { status: { _neq: final } }, set: { made_by: X-Gql-User }, columns: [id, org_id, title, status] }
    update: { filter: { status: { _eq: draft } }, check: {}, columns: [title, status, org_id] }
    delete: { filter: { status: { _eq: draft } } }
  clerk: { insert: { check: { org: { name: { _eq: one } } }, columns: [id, org_id, title] } }
  writer:
    insert: { check: ${mine}, columns: [id, org_id, title] }
    update: { filter: ${mine}, columns: [org_id, title] }
    delete: { filter: ${mine} }
  left: { select: { filter: { org_id: { _eq: 1 } }, columns: [id, title] } }
  right: { select: { filter: { status: { _eq: draft } }, columns: [id, made_by] } }
  whole: { select: { filter: { org_id: { _eq: 2 } }, columns: '*', computed_fields: [shout] } }
`,
  'tables/org_size.yaml': `table: org_size
permissions:
  member: { select: { filter: ${mine}, columns: '*', allow_aggregations: true } }
`,
  'tables/doc_copy.yaml': `table: doc_copy
permissions:
  member: { select: { filter: ${mine}, columns: [id, title] } }
`,
  'tables/odd.yaml': `table: { schema: public, name: 'odd " view' }
permissions:
  member:
    select: { filter: { "true": { _eq: X-Gql-Org } }, columns: '*' }
    insert: { check: { "true": { _eq: X-Gql-Org } }, columns: '*' }
`,
  'functions/open_docs.yaml': 'function: open_docs\nrights: owner\npermissions: [whole]\n',
  'tables/memos.yaml': `table: memos
permissions:
  clerk:
    select: { filter: {}, columns: '*' }
    insert: { check: { tenant: { _eq: 1 } }, columns: [org_id, title] }
    update: { filter: { tenant: { _eq: 1 } }, columns: [org_id, title] }
`,
  'tables/tray.yaml': `table: tray
permissions:
  clerk:
    select: { filter: {}, columns: '*' }
    update: { filter: { org_id: { _eq: 1 } }, columns: [org_id, title] }
    delete: { filter: { org_id: { _eq: 1 } } }
`,
  'tables/above_tray.yaml': `table: above_tray
permissions:
  clerk:
    select: { filter: {}, columns: [id, title] }
    update: { filter: { org_id: { _eq: 1 } }, check: {}, columns: [title] }
    delete: { filter: { org_id: { _eq: 1 } } }
`,
  'tables/inbox.yaml': `table: inbox
permissions:
  member:
    select: { filter: ${mine}, columns: [id, title] }
    insert: { check: ${mine}, set: { made_by: X-Gql-User, org_id: X-Gql-Org }, columns: [id, title] }
`,
};

let gateway: Gateway;
let owner: pg.Client;
beforeAll(async () => {
  const copy = 'refresh materialized view doc_copy';
  gateway = await startGateway({ schema: `${schema}${rows}${copy}`, metadata });
  owner = await gateway.database.connectOwner();
});
afterAll(() => gateway.stop());
beforeEach(() => owner.query(`truncate org, doc, audit, memo restart identity; ${rows}`));

const member = { role: 'member', variables: { Org: '1', User: 'u1' } };

/**
 * Runs an SQL statement in a Postgres role.
 * @returns the error of the statement, and all notices
 */
async function inRole(
  role: string,
  text: string,
  variables: Record<string, string> = { org: '1', user: 'u1' },
) {
  const client = new pg.Client({ connectionString: gateway.gatewayUrl });
  const notices: string[] = [];
  client.on('notice', ({ message }) => notices.push(message ?? ''));
  await client.connect();
  try {
    await client.query(`set role "rowgate_${gateway.database.name}_${role}"`);
    for (const [name, value] of Object.entries(variables)) {
      await client.query('select set_config($1, $2, false)', [`gql.${name}`, value]);
    }
    const { rows, rowCount } = await client.query(text);
    return { rows, rowCount, notices };
  } catch (error) {
    return { error: error as pg.DatabaseError, notices };
  } finally {
    await client.end();
  }
}

/** Returns the names of generated views with the column on which the role has the privilege. */
async function viewOf(role: string, privilege: string, column: string): Promise<string> {
  const { rows } = await owner.query<{ name: string }>(
    `select 'rowgate_api.' || c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'rowgate_api'::regnamespace and c.relkind = 'v' and a.attname = $3
       and (has_table_privilege($1, c.oid, $2) or $2 <> 'DELETE' and has_any_column_privilege($1, c.oid, replace($2, 'DELETE', 'SELECT'))) order by c.relname`,
    [`rowgate_${gateway.database.name}_${role}`, privilege, column],
  );
  return rows.map(({ name }) => name).join(',');
}

describe('a view of the database in GraphQL', () => {
  test('returns only the rows and columns that its rule allows, with counts and orderings', async () => {
    const query = `{ open_doc(order_by: { title: desc }, where: { loud: { _neq: "A" } }) { id title loud __typename }
      open_doc_aggregate { aggregate { count max { title } } }
      distinct: open_doc(distinct_on: [org_id]) { org_id } }`;
    expect((await gateway.ask(query, member)).data).toEqual({
      open_doc: [{ id: 2, title: 'b', loud: 'B', __typename: 'open_doc' }],
      open_doc_aggregate: { aggregate: { count: 2, max: { title: 'b' } } },
      distinct: [{ org_id: 1 }],
    });
    expect(errorOf(await gateway.ask('{ open_doc { secret } }', member))).toContain(
      "field 'secret' not found",
    );
    expect(errorOf(await gateway.ask('{ open_doc_by_pk(id: 1) { id } }', member))).toContain(
      'not found',
    );
  });

  test('has relationships to and from tables, where the rules of the view and the tables both apply', async () => {
    const query = `{ org { name documents(order_by: { id: asc }) { id org { size { docs } } } documents_aggregate { aggregate { count } } } }`;
    const documents = [1, 2].map((id) => ({ id, org: { size: { docs: 3 } } }));
    expect((await gateway.ask(query, member)).data).toEqual({
      org: [{ name: 'one', documents, documents_aggregate: { aggregate: { count: 2 } } }],
    });
  });

  test('has the computed fields of its metadata', async () => {
    expect((await gateway.ask('{ open_doc(where: { id: { _eq: 3 } }) { shout } }')).data).toEqual({
      open_doc: [{ shout: 'c!' }],
    });
  });

  test('can be read if it has GROUP BY over several columns, or names that are invalid in GraphQL', async () => {
    const query =
      '{ org_size { name docs } odd___view(order_by: { title: asc }) { odd___id _true title } }';
    const { data } = await gateway.ask(query, member);
    expect(data.org_size).toEqual([{ name: 'one', docs: 3 }]);
    expect(data.odd___view).toHaveLength(3);
  });

  test('that is materialized returns the state of its last refresh, and has no insert mutation', async () => {
    const { data } = await gateway.ask('{ doc_copy(order_by: { id: asc }) { id title } }', member);
    expect(data.doc_copy.map(({ id }: { id: number }) => id)).toEqual([1, 2, 4]);
    expect(
      errorOf(await gateway.ask('mutation { insert_doc_copy(objects: []) { affected_rows } }')),
    ).toContain("field 'insert_doc_copy' not found");
  });

  test('returns to an inheriting role in each row the columns that one of its parent roles may read, and null for others', async () => {
    const { data } = await gateway.ask('{ open_doc(order_by: { id: asc }) { id title made_by } }', {
      role: 'both',
    });
    expect(data.open_doc).toEqual([
      { id: 1, title: 'a', made_by: 'x' },
      { id: 2, title: 'b', made_by: null },
      { id: 3, title: null, made_by: 'z' },
    ]);
  });

  test('returns to an inheriting role a computed field of one parent role in the rows that this parent sees, and null in others', async () => {
    const ask = (query: string) => gateway.ask(query, { role: 'left_and_whole' });
    const { data } = await ask('{ open_doc(order_by: { shout: asc, id: asc }) { id shout } }');
    expect(data.open_doc).toEqual([
      { id: 3, shout: 'c!' },
      { id: 1, shout: null },
      { id: 2, shout: null },
    ]);
    expect((await ask('{ open_docs { id } }')).data.open_docs).toHaveLength(3);
    expect(errorOf(await ask('{ open_docs { shout } }'))).toBe(
      "not-supported $.selectionSet.open_docs.selectionSet.shout 'shout' is not available in rows that a function returns: it is looked up by primary key, and open_doc has none",
    );
  });

  test('is refused without the session variables that its rule reads', async () => {
    expect(errorOf(await gateway.ask('{ open_doc { id } }', { role: 'member' }))).toContain(
      'missing session variable',
    );
    const view = await viewOf('member', 'SELECT', 'docs');
    expect(await inRole('member', `select * from ${view}`, { org: '' })).toMatchObject({
      rows: [],
    });
  });
});

describe('a Postgres role that uses a view in SQL, without GraphQL,', () => {
  test('has no privilege on the view of the user or its base tables', async () => {
    for (const name of ['open_doc', 'doc', 'doc_copy', 'org_size', 'inbox']) {
      expect((await inRole('member', `select from ${name}`)).error?.code).toBe('42501');
    }
    expect(
      (await inRole('writer', `insert into open_doc (id, org_id, title) values (90, 1, 'x')`)).error
        ?.code,
    ).toBe('42501');
  });

  test('cannot make a function in a condition receive a row that the rule hides', async () => {
    const view = await viewOf('member', 'SELECT', 'loud');
    for (const name of view.split(',')) {
      const { notices, error } = await inRole(
        'member',
        `select id from ${name} where leak(title) order by leak(title)`,
      );
      expect(error).toBeUndefined();
      expect(notices.filter((text) => /leaked [cd]/.test(text))).toEqual([]);
    }
    const removing = await viewOf('member', 'DELETE', 'id');
    const { notices } = await inRole(
      'member',
      `delete from ${removing} where leak(title) and title like '%never'`,
    );
    expect(new Set(notices)).toEqual(new Set(['leaked a']));
  });

  test('cannot insert a row that violates the check of the rule', async () => {
    const view = await viewOf('writer', 'INSERT', 'title');
    const of = (org: number) =>
      `insert into ${view} (id, org_id, title) values (${org}1, ${org}, 'w')`;
    expect((await inRole('writer', of(2))).error).toMatchObject({ code: '44000' });
    expect((await inRole('writer', of(2), {})).error).toMatchObject({ code: '44000' });
    expect((await inRole('writer', `${of(1)} returning id`)).error?.code).toBe('42501');
    expect(
      (
        await inRole(
          'writer',
          `insert into ${view} (id, org_id, title, secret) values (5, 1, 'w', 's')`,
        )
      ).error?.message,
    ).toContain('secret');
    expect(await inRole('writer', of(1))).toMatchObject({ rowCount: 1 });
  });

  test('cannot update rows or columns beyond the update rule', async () => {
    const view = await viewOf('writer', 'UPDATE', 'title');
    expect((await inRole('writer', `update ${view} set org_id = 2`)).error).toMatchObject({
      code: '44000',
    });
    expect((await inRole('writer', `update ${view} set title = secret`)).error?.message).toContain(
      'secret',
    );
    expect(
      (await inRole('writer', `update ${view} set title = 'v' where title = 'a'`)).error?.code,
    ).toBe('42501');
  });

  test('cannot set a preset column, or leave it null without the session variable of the preset', async () => {
    const views = (await viewOf('member', 'INSERT', 'made_by')).split(',');
    for (const view of views) {
      expect(
        (await inRole('member', `insert into ${view} (id, title, made_by) values (70, 'p', 'me')`))
          .error?.code,
      ).toBe('42501');
      expect(
        (
          await inRole('member', `insert into ${view} (id, title) values (71, 'p')`, {
            org: '1',
            user: '',
          })
        ).error,
      ).toMatchObject({ code: expect.stringMatching('44000|23502') });
    }
  });
});

describe('writing to a view over GraphQL', () => {
  const insert = (org: number, status = 'draft', id = 20) =>
    `mutation { insert_open_doc(objects: [{ id: ${id}, org_id: ${org}, title: "new", status: "${status}" }]) { affected_rows returning { id loud org { name } } } }`;

  test('applies the check and the presets on insert, and returns the visible row', async () => {
    expect((await gateway.ask(insert(1), member)).data).toEqual({
      insert_open_doc: {
        affected_rows: 1,
        returning: [{ id: 20, loud: 'NEW', org: { name: 'one' } }],
      },
    });
    const { rows } = await owner.query('select made_by, secret from doc where id = 20');
    expect(rows).toEqual([{ made_by: 'u1', secret: 'hidden' }]);
    const { rows: audit } = await owner.query('select who from audit where doc_id = 20');
    expect(audit[0].who).toContain('_member');
  });

  test('refuses an insert of a row that fails the check', async () => {
    const answer = await gateway.ask(insert(1, 'final', 21), member);
    expect(answer.errors?.[0]).toMatchObject({
      message: expect.stringContaining(
        'check constraint of an insert/update permission has failed',
      ),
      extensions: { code: 'permission-error', path: '$.selectionSet.insert_open_doc.args.objects' },
    });
  });

  test('allows affected_rows, but no returning, for a new row that the role may not see', async () => {
    expect(errorOf(await gateway.ask(insert(2, 'draft', 22), member))).toContain(
      'ask for affected_rows alone',
    );
    const query =
      'mutation { insert_open_doc(objects: [{ id: 22, org_id: 2, title: "theirs" }]) { affected_rows } }';
    expect((await gateway.ask(query, member)).data).toEqual({
      insert_open_doc: { affected_rows: 1 },
    });
  });

  test("allows affected_rows, but no returning, for a new row that the view's WHERE excludes", async () => {
    expect(errorOf(await gateway.ask(insert(1, 'gone', 24), member))).toContain(
      'ask for affected_rows alone',
    );
    const query =
      'mutation { insert_open_doc(objects: [{ id: 24, org_id: 1, title: "x", status: "gone" }]) { affected_rows } }';
    expect((await gateway.ask(query, member)).data).toEqual({
      insert_open_doc: { affected_rows: 1 },
    });
  });

  test('is refused without the session variable of a preset', async () => {
    const answer = await gateway.ask(insert(1, 'draft', 23), {
      role: 'member',
      variables: { Org: '1' },
    });
    expect(errorOf(answer)).toContain('missing session variable: "x-gql-user"');
  });

  test('updates only rows that the role may see, and refuses values that violate the update check', async () => {
    const update = (where: string, set: string) =>
      gateway.ask(
        `mutation { update_open_doc(where: ${where}, _set: ${set}) { affected_rows returning { id status } } }`,
        member,
      );
    expect((await gateway.ask(insert(1), member)).errors).toBeUndefined();
    expect(
      (await update('{ id: { _in: [2, 3] } }', '{ title: "no" }')).data.update_open_doc
        .affected_rows,
    ).toBe(0);
    expect(
      (await update('{ id: { _eq: 20 } }', '{ status: "final" }')).data.update_open_doc,
    ).toEqual({
      affected_rows: 1,
      returning: [{ id: 20, status: 'final' }],
    });
    expect(errorOf(await update('{ id: { _eq: 1 } }', '{ org_id: 2 }'))).toContain(
      'permission has failed',
    );
  });

  test('deletes only rows that the role may see', async () => {
    await owner.query("insert into doc values (11, 1, 'w')");
    const query =
      'mutation { delete_open_doc(where: { org: { name: { _neq: "x" } } }) { affected_rows returning { id } } }';
    expect((await gateway.ask(query, member)).data).toEqual({
      delete_open_doc: { affected_rows: 2, returning: [{ id: 1 }, { id: 11 }] },
    });
  });

  test('runs the INSTEAD OF INSERT trigger of the view, and has no fields for operations without a trigger', async () => {
    const query = 'mutation { insert_inbox_one(object: { id: 40, title: "mail" }) { id title } }';
    expect((await gateway.ask(query, member)).data).toEqual({
      insert_inbox_one: { id: 40, title: 'mail' },
    });
    const { rows } = await owner.query('select org_id, made_by from doc where id = 40');
    expect(rows).toEqual([{ org_id: 1, made_by: 'u1' }]);
    for (const root of ['update_inbox', 'delete_inbox', 'insert_org_size', 'update_org_size']) {
      expect(
        errorOf(await gateway.ask(`mutation { ${root}(where: {}) { affected_rows } }`)),
      ).toContain(`field '${root}' not found`);
    }
  });

  test.each(['tray', 'above_tray'])(
    'applies the filter before the INSTEAD OF trigger of %s',
    async (name) => {
      await owner.query(
        "truncate memo; insert into memo values (1, 1, 'a'), (2, 2, 'b'), (3, 1, 'c')",
      );
      const left = async (mutation: string) => {
        const { data } = await gateway.ask(`mutation { ${mutation} { affected_rows } }`, {
          role: 'clerk',
        });
        const { rows } = await owner.query('select id, title from memo order by id');
        return [...Object.values(data), ...rows.map(({ id, title }) => `${id}${title}`)];
      };
      expect(await left(`update_${name}(where: { id: { _gt: 1 } }, _set: { title: "k" })`)).toEqual(
        [{ affected_rows: 1 }, ...['1a', '2b', '3k']],
      );
      expect(await left(`delete_${name}(where: {})`)).toEqual([{ affected_rows: 2 }, '2b']);
    },
  );

  test('refuses an update if the row from the INSTEAD OF trigger leaves the filter of the rule', async () => {
    await owner.query("truncate memo; insert into memo values (1, 1, 'a')");
    const query = 'mutation { update_tray(where: {}, _set: { org_id: 2 }) { affected_rows } }';
    expect(errorOf(await gateway.ask(query, { role: 'clerk' }))).toContain('permission has failed');
  });

  test('refuses an update that moves a row out of the filter through a second name of a column in the view', async () => {
    await owner.query("truncate memo; insert into memo values (1, 1, 'a')");
    const query = 'mutation { update_memos(where: {}, _set: { org_id: 2 }) { affected_rows } }';
    expect(errorOf(await gateway.ask(query, { role: 'clerk' }))).toContain('permission has failed');
  });

  test('fills an omitted column from a sequence of the base table', async () => {
    const query =
      'mutation { insert_memos(objects: { org_id: 1, title: "n" }) { returning { tenant } } }';
    expect((await gateway.ask(query, { role: 'clerk' })).data).toEqual({
      insert_memos: { returning: [{ tenant: 1 }] },
    });
  });

  test('evaluates a check that reads a table which the role may not see', async () => {
    const insert = (org: number) =>
      gateway.ask(
        `mutation { insert_open_doc(objects: [{ id: ${60 + org}, org_id: ${org}, title: "c" }]) { affected_rows } }`,
        { role: 'clerk' },
      );
    expect((await insert(1)).data).toEqual({ insert_open_doc: { affected_rows: 1 } });
    expect(errorOf(await insert(2))).toContain('permission has failed');
  });

  test('is possible by nested inserts and by update_many', async () => {
    const query = `mutation {
      insert_org_one(object: { id: 9, name: "nine", documents: { data: [{ id: 91, title: "n" }, { id: 92, title: "m" }] } }) { documents { id } }
      update_open_doc_many(updates: [{ where: { id: { _eq: 91 } }, _set: { title: "o" } }, { where: { id: { _eq: 92 } }, _inc: { id: 1 } }]) { affected_rows returning { id title shout org { name } } }
    }`;
    const org = { name: 'nine' };
    expect((await gateway.ask(query)).data).toEqual({
      insert_org_one: { documents: [{ id: 91 }, { id: 92 }] },
      update_open_doc_many: [
        { affected_rows: 1, returning: [{ id: 91, title: 'o', shout: 'o!', org }] },
        { affected_rows: 1, returning: [{ id: 93, title: 'm', shout: 'm!', org }] },
      ],
    });
  });

  test('has no on_conflict argument on insert', async () => {
    const query =
      '{ __type(name: "open_doc_on_conflict") { name } __schema { mutationType { fields { name args { name } } } } }';
    const { data } = await gateway.ask(query, member);
    const field = data.__schema.mutationType.fields.find(
      ({ name }: { name: string }) => name === 'insert_open_doc',
    );
    expect([data.__type, field.args]).toEqual([null, [{ name: 'objects' }]]);
  });

  test('is possible if the view has names that are invalid in GraphQL', async () => {
    const query =
      'mutation { insert_odd___view(objects: [{ odd___id: 50, _true: 1, title: "odd" }]) { returning { odd___id } } }';
    expect((await gateway.ask(query, member)).data.insert_odd___view.returning).toEqual([
      { odd___id: 50 },
    ]);
  });
});
