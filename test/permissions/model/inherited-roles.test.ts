import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uninstall } from '../../../permissions/apply/uninstall.ts';
import { rowsView } from '../../../permissions/index.ts';
import { metadataFindings } from '../../../permissions/lint/metadata-findings.ts';
import { createLogin } from '../../../permissions/login/create-login.ts';
import { failureOf } from '../support/as-role.ts';
import { type Installation, install } from '../support/installation.ts';

const schema = `
create table org (id int primary key, name text not null);
create table doc (id int primary key, org_id int not null references org, title text, body text, state text);
create function echo(doc, words text) returns text language sql stable as $$ select $1.title || words $$;
create function peers(doc) returns setof doc language sql stable as $$ select * from doc where org_id = $1.org_id $$;
insert into org values (1, 'one'), (2, 'two');
insert into doc values (1, 1, 'a', 'x', 'new'), (2, 2, 'b', 'y', 'old');`;

const roles = `roles:
  author: { requires: [X-Gql-Org-Id] }
  editor: { requires: [X-Gql-Team] }
  both: { inherits: [author, editor] }
  chief: { inherits: [both] }
  writer: {}
  nested: { inherits: [both, writer] }
`;
const org = `table: org
permissions:
  author: { select: { filter: { id: X-Gql-Org-Id }, columns: [id, name] } }
  editor: { select: { filter: {}, columns: [name] } }
`;
const doc = `table: doc
permissions:
  author:
    select: { filter: { org_id: X-Gql-Org-Id }, columns: [id, org_id, title], limit: 5 }
    insert: { check: {}, columns: [id, org_id, title], set: { state: new, body: none } }
    update: { filter: {}, columns: [title] }
  editor:
    select: { filter: { state: new }, columns: [id, body], limit: 9 }
    insert: { check: {}, set: { body: none, state: new }, columns: [title, id, org_id] }
    update: { filter: {}, columns: [title, body] }
  writer:
    select: { filter: {}, columns: [id] }
    update: { filter: {}, columns: [body] }
`;
const plainRules = { 'roles.yaml': roles, 'tables/org.yaml': org, 'tables/doc.yaml': doc };

let made: Installation;
beforeAll(async () => {
  made = await install({ schema, rules: plainRules });
});
afterAll(() => made.drop());

async function load(settings = 'strict_keys: false\n') {
  await made.rewrite({ ...plainRules, 'rowgate.yaml': settings });
  return (await made.prepare()).loaded;
}

async function rulesOf(role: string, table: string, settings?: string) {
  const { model } = await load(settings);
  return model.roles.get(role)?.tables.get(`public.${table}`);
}

describe('a role that inherits other roles', () => {
  test('requires all session variables that its parents require', async () => {
    const { model } = await load();
    expect(model.roles.get('chief')?.requires).toEqual(['org_id', 'team']);
  });

  test('has the largest row limit of its parents, and one insert rule where their rules are equal', async () => {
    const rules = await rulesOf('both', 'doc');
    expect(rules?.select?.limit).toBe(9);
    expect(rules?.insert?.columns).toEqual(['id', 'org_id', 'title']);
  });

  test('has no update rule when those of its parents differ, and a warning names both positions', async () => {
    const { warnings, model } = await load();
    expect(model.roles.get('chief')?.tables.get('public.doc')?.update).toBeUndefined();
    const reported = warnings.filter(({ code }) => code === 'RG_INHERITED_CONFLICT');
    expect(reported).toHaveLength(1);
    expect(reported[0]?.position?.line).toBe(4);
    expect(reported[0]?.message).toMatch(
      /^role "both" may not update on public\.doc: the rules of "author" \(\S+tables\/doc\.yaml:6\) and of "editor" \(\S+tables\/doc\.yaml:10\) differ$/,
    );
  });

  test("gets the update rule of one parent when its other parent has none because its own parents' rules differ", async () => {
    const update = async (role: string) => (await rulesOf(role, 'doc'))?.update?.columns;
    expect(await update('both')).toBeUndefined();
    expect(await update('nested')).toEqual(['body']);
  });

  test('gets no warning about writing rows that only one of its parents sees', async () => {
    const seeing = doc.replace(
      'filter: {}, columns: [title] }',
      'filter: { org_id: X-Gql-Org-Id }, columns: [title] }',
    );
    await made.rewrite({
      ...plainRules,
      'tables/doc.yaml': seeing.replace(/\n {4}update.*body\] }/, ''),
    });
    const warned = metadataFindings((await made.prepare()).loaded);
    expect(warned.filter(({ code }) => code === 'RG_WRITE_BEYOND_SELECT')).toEqual([]);
  });

  test('gets a warning about each computed field that a parent reads and the role itself does not', async () => {
    const fields = 'computed_fields: { echo: { function: echo }, peers: { function: peers } }\n';
    const reader = "  author: { select: { filter: {}, columns: '*', computed_fields: [echo] } }\n";
    const editor = '  editor: { select: { filter: { state: new }, columns: [id] } }\n';
    const rules = (parents: string) => `table: doc\n${fields}permissions:\n${parents}`;
    const part = reader.replace('{}', '{ state: new }');
    await made.rewrite({
      ...plainRules,
      'tables/doc.yaml': rules(part + editor.replace('new', 'old')),
    });
    const { warnings } = (await made.prepare()).loaded;
    const reported = warnings.filter(({ code }) => code === 'RG_COMPUTED_FIELD');
    expect(reported.map(({ message, position }) => [position?.line, message])).toEqual([
      [
        4,
        'role "both" does not inherit "echo" of public.doc: it does not read every column of public.doc, and the function takes arguments',
      ],
      [
        4,
        'role "both" does not inherit "peers" of public.doc: it does not read every column of public.doc, and the function gives rows',
      ],
    ]);
    await made.rewrite({ ...plainRules, 'tables/doc.yaml': rules(part + editor) });
    const none = (await made.prepare()).loaded.warnings;
    expect(none.filter(({ code }) => code === 'RG_COMPUTED_FIELD')).toEqual([]);
  });

  test('keeps a relationship whose foreign key columns one parent shows', async () => {
    expect([...((await rulesOf('both', 'doc'))?.relationships.keys() ?? [])]).toEqual(['org']);
    const strict = await rulesOf('both', 'doc', 'strict_keys: true\n');
    expect([...(strict?.relationships.keys() ?? [])]).toEqual(['org']);
    expect(strict?.joinMasks.size).toBe(0);
  });

  test('may write foreign keys to every row that it sees itself, even if one parent sees fewer', async () => {
    const rules = await rulesOf('both', 'doc', 'references_visible: true\n');
    expect(rules?.insert?.references).toEqual([]);
    const author = await rulesOf('author', 'doc', 'references_visible: true\n');
    expect(author?.insert?.references).toHaveLength(1);
  });
});

describe('the rows view, a view through which a role with several parents reads a table,', () => {
  const viewOf = async (name = 'both') => {
    const { model } = await load();
    const [role, table] = [model.roles.get(name), model.tables.get('public.doc')];
    const view = role && table && rowsView(role, table);
    return `${view?.schema}.${view?.name}`;
  };

  test('exists only for roles that see different columns in different rows', async () => {
    expect(await viewOf('author')).toBe('undefined.undefined');
    expect(await viewOf('chief')).not.toBe(await viewOf('both'));
  });

  test('is reported in the plan and recreated when its owner role changed it', async () => {
    const view = await viewOf();
    await made.apply();
    await made.owner.query(`grant ${made.prefix}policy to current_user`);
    await made.owner.query(`alter view ${view} set (security_barrier = false)`);
    await made.owner.query(`revoke ${made.prefix}policy from current_user`);
    expect(await made.pending()).toContainEqual(expect.stringMatching(/^replace view rows_/));
    await made.apply();
    expect(await made.pending()).toEqual([]);
  });

  test('shows a direct login of the role the columns that the stored variables allow', async () => {
    const role = (await load()).model.roles.get('both');
    const name = `${made.prefix}reader`;
    const values = new Map([
      ['org_id', '2'],
      ['team', 'x'],
    ]);
    await createLogin(made.owner, {
      ...{ name, password: 'of a login', headerPrefix: 'X-Gql-' },
      role: role ?? (await Promise.reject(new Error('no role'))),
      variables: values,
    });
    const client = await made.connectAs(name);
    await client.query("select set_config('gql.org_id', '1', false)");
    const { rows } = await client.query(
      `select id, title, body from ${await viewOf()} order by id`,
    );
    expect(rows).toEqual([
      { id: 1, title: null, body: 'x' },
      { id: 2, title: 'b', body: null },
    ]);
    expect((await failureOf(client.query('select body from public.doc'))).code).toBe('42501');
    await client.end();
  });

  test('is dropped by uninstall', async () => {
    await uninstall(made.owner, { rolePrefix: made.prefix, login: undefined });
    const { rows } = await made.owner.query(
      "select 1 from pg_class where relname like 'rows\\_%' and relkind = 'v'",
    );
    expect(rows).toEqual([]);
  });
});
