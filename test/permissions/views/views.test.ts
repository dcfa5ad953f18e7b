import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uninstall } from '../../../permissions/apply/uninstall.ts';
import { inspectDrift } from '../../../permissions/drift/inspect-drift.ts';
import type { Model } from '../../../permissions/types/model.ts';
import { failureOf } from '../support/as-role.ts';
import { type Installation, install } from '../support/installation.ts';

const schema = `
create table public.org (id int primary key, is_mine boolean not null);
create table public.owner (first int, last int, primary key (first, last));
create table public.paper (id serial primary key, org int references public.org, mine int, yours int, title text default 't',
  foreign key (mine, yours) references public.owner, state text default 'new');
create view public.papers as select id, org as place, mine, yours, title, state from public.paper;
create view public.sheets as select place, title, mine as hers, yours as his from public.papers;
create function public.change() returns trigger language plpgsql as 'begin return new; end';
create view public.by_trigger with (security_barrier) as select id, org from public.paper;
create trigger change instead of update on public.by_trigger for each row execute function public.change();
insert into public.org values (1, true), (2, false), (3, true);
insert into public.paper (org) values (1), (2), (null);
create table public.doc (id int primary key, org_id int not null, title text, made_by text, state text default 'new');
create view public.docs as select id, org_id, title, made_by, state from public.doc;
create view public.above as select id, org_id, title from public.docs;
create view public.deep as select * from public.doc;
create materialized view public.copy as select * from public.deep;
create table public.colors (value text primary key);
insert into public.colors values ('red');
insert into public.doc values (1, 1, 'a', 'x', 'new'), (2, 2, 'b', 'y', 'new');
grant select on public.docs to public;`;

const mine = '{ org_id: { _eq: X-Gql-Org } }';
const rules = {
  'roles.yaml': 'roles: { member: {}, other: {}, clerk: {} }\n',
  'rowgate.yaml': 'references_visible: true\n',
  'tables/org.yaml': `table: org
permissions: { clerk: { select: { filter: { is_mine: { _eq: true } }, columns: '*' } } }
`,
  'tables/paper.yaml': `table: paper
permissions: { clerk: { insert: { check: {}, set: { title: ours }, columns: [id] } } }
`,
  'tables/papers.yaml': `table: papers
relationships: { org: { table: org, columns: { place: id }, kind: object } }
permissions:
  clerk:
    select: { filter: {}, columns: '*' }
    insert: { check: {}, columns: [place, title] }
    update: { filter: { state: { _eq: new } }, check: {}, columns: [place, state] }
`,
  'tables/owner.yaml': 'table: owner\n',
  'tables/sheets.yaml': `table: sheets
relationships: { owner: { table: owner, columns: { hers: first, his: last }, kind: object } }
permissions: { clerk: { insert: { check: {}, columns: [title, hers, his] } } }
`,
  'tables/by_trigger.yaml': `table: by_trigger
permissions: { clerk: { update: { filter: { id: { _lt: 3 } }, columns: [org] } } }
`,
  'tables/docs.yaml': `table: docs
permissions:
  member:
    select: { filter: ${mine}, columns: [id, org_id, title, state] }
    insert: { check: { title: { _neq: x } }, set: { made_by: X-Gql-User }, columns: [id, org_id, title] }
    update: { filter: { state: { _eq: new } }, check: {}, columns: [state, title, org_id] }
    delete: { filter: {} }
`,
  'tables/above.yaml': `table: above
permissions: { other: { insert: { check: ${mine}, columns: '*' }, update: { filter: ${mine}, columns: '*' } } }
`,
  'tables/copy.yaml': `table: copy
relationships: { docs: { table: docs, columns: { id: id }, kind: array } }
permissions: { other: { select: { filter: { docs: { state: { _eq: new } } }, columns: [id] } } }
`,
  'tables/colors.yaml': 'table: colors\nis_enum: true\n',
};

let made: Installation;
let owner: pg.Client;
beforeAll(async () => {
  made = await install({ schema, rules });
  owner = made.owner;
});
afterAll(() => made.drop());

// Each test continues from the state after the previous tests. The last test uninstalls everything.
describe('views with rules', { shuffle: false }, () => {
  const variables = { org: '1', user: 'u' };

  /** Returns the view of Rowgate on which a role has a privilege. `file` is a part of the path of its rules. */
  async function ours(role: string, privilege: string, file = ''): Promise<string> {
    const { rows } = await owner.query<{ name: string }>(
      `with c as (select * from pg_catalog.pg_class c where pg_catalog.obj_description(c.oid) like '%/' || $3 || '%')
     select c.oid::pg_catalog.regclass::text as name from c, pg_catalog.aclexplode(c.relacl) x
     where c.relkind = 'v' and c.relnamespace = 'rowgate_api'::pg_catalog.regnamespace
       and x.grantee = $1::pg_catalog.regrole and x.privilege_type = $2
     union select c.oid::pg_catalog.regclass::text from c
     join pg_catalog.pg_attribute a on a.attrelid = c.oid, pg_catalog.aclexplode(a.attacl) x
     where c.relkind = 'v' and c.relnamespace = 'rowgate_api'::pg_catalog.regnamespace
       and x.grantee = $1::pg_catalog.regrole and x.privilege_type = $2 order by 1`,
      [`${made.prefix}${role}`, privilege, file],
    );
    return rows[0]?.name ?? '';
  }

  const other = (text: string) => made.ask('other', variables, text);

  describe('rules on views', () => {
    test('leave nothing pending after apply and revoke the select that PUBLIC had on a view', async () => {
      expect(await made.pending()).toEqual([]);
      expect((await made.findings()).filter(({ severity }) => severity === 'error')).toEqual([]);
      const { rows } = await owner.query(
        "select has_table_privilege('public', 'public.docs', 'SELECT') as open",
      );
      expect(rows).toEqual([{ open: false }]);
    });

    test('refuse an insert and an update that fail their check, although the view below allows such rows', async () => {
      const into = await ours('other', 'INSERT');
      expect(await other(`insert into ${into} values (8, 1, 'n')`)).toMatchObject({ affected: 1 });
      expect(await failureOf(other(`insert into ${into} values (8, 2, 'n')`))).toMatchObject({
        ...{ code: '44000', detail: 'Failing row contains (id, org_id, title) = (8, 2, n).' },
      });
      const change = await ours('other', 'UPDATE');
      expect(await failureOf(other(`update ${change} set org_id = 2`))).toMatchObject({
        code: '44000',
      });
      expect(await other(`update ${change} set title = 'n'`)).toMatchObject({ affected: 1 });
    });

    test('let an update move a row out of the update filter, but not out of the select filter', async () => {
      const change = await ours('member', 'UPDATE');
      const set = (text: string) =>
        made.ask('member', variables, `update ${change} set ${text} where id = 1`);
      expect(await set("state = 'old'")).toMatchObject({ affected: 1 });
      expect(await failureOf(set('org_id = 3'))).toMatchObject({ code: '44000' });
      expect(await failureOf(set('id = 3'))).toMatchObject({ code: '42501' });
    });

    test('read all rows of another view, whatever rules that view has', async () => {
      await owner.query('refresh materialized view public.copy');
      const rows = await ours('other', 'SELECT');
      expect((await other(`select id from ${rows} order by 1`)).rows).toEqual([['1'], ['2']]);
    });
  });

  describe('a row that a role writes through a view', () => {
    const clerk = (text: string) => made.ask('clerk', {}, text);

    test('may refer only to rows that the role sees, by the relationships of the view', async () => {
      const into = await ours('clerk', 'INSERT', 'papers');
      const hang = (place: string) => clerk(`insert into ${into} (place) values (${place})`);
      for (const place of ['1', 'null']) expect(await hang(place)).toMatchObject({ affected: 1 });
      expect(await failureOf(hang('2'))).toMatchObject({ code: '44000' });
      const change = await ours('clerk', 'UPDATE', 'papers');
      const set = (text: string) => clerk(`update ${change} set ${text}`);
      expect(await failureOf(set('place = 2'))).toMatchObject({ code: '44000' });
      expect(await set('place = 3')).toMatchObject({ affected: 2 });
      expect(await set("state = 'old'")).toMatchObject({ affected: 2 });
    });

    test('may refer to no row if the role sees none', async () => {
      const into = await ours('clerk', 'INSERT', 'sheets');
      const hang = (key: string) =>
        clerk(`insert into ${into} (title, hers, his) values ('x', ${key})`);
      expect(await failureOf(hang('1, 1'))).toMatchObject({ code: '44000' });
      expect(await hang('null, null')).toMatchObject({ affected: 1 });
    });

    test('causes a warning if it could refer to hidden rows or if a preset of the table below overwrites it', async () => {
      const { warnings } = (await made.prepare()).loaded;
      const reported = warnings.filter(({ code }) => code === 'RG_VIEW');
      expect(
        reported.map(({ position, message }) => `${position?.file.split('/').at(-1)} ${message}`),
      ).toEqual([
        expect.stringMatching(/^by_trigger.yaml .* can refer to any row of public.org, /),
        'papers.yaml public.papers, role "clerk": the preset of the role’s rule on public.paper overwrites what is written to "title"',
        expect.stringMatching(
          /^papers.yaml .* can refer to any row of public.owner, .* "paper_mine_yours_fkey"$/,
        ),
        expect.stringMatching(/^papers.yaml .* can refer to any row of public.owner, /),
        'sheets.yaml public.sheets, role "clerk": the preset of the role’s rule on public.paper overwrites what is written to "title"',
        expect.stringMatching(/^sheets.yaml .* can refer to any row of public.org, /),
      ]);
    });
  });

  describe('apply, for rules on views over other views,', () => {
    const state = 'filter: { state: { _eq: new } }';
    const select = `select: { filter: ${mine}, columns: [id, org_id, title, state] }`;

    test.each([
      ['a changed select rule', select, select.replace('_eq', '_neq')],
      ['a select rule without a filter', select, select.replace(mine, '{}')],
      ['a changed update rule', state, 'filter: { state: { _eq: old } }'],
      ['an update rule without a check', ', check: {}', ''],
      ['a removed update rule', /update: .*/, ''],
      ['the original rules again', '', ''],
    ])('replaces the views of Rowgate for %s', async (_, part, other) => {
      const docs = rules['tables/docs.yaml'].replace(part, other);
      await made.rewrite({ ...rules, 'tables/docs.yaml': docs });
      await made.apply();
      expect(await made.pending()).toEqual([]);
    });

    test("succeeds after the user's views were renamed and others took their names", async () => {
      await owner.query(`alter view public.above rename to old_above;
      alter view public.docs rename to old_docs;
      create view public.docs as select id, org_id, title, made_by, state from public.doc where id < 2;
      create view public.above as select id, org_id, title from public.docs`);
      await made.apply();
      expect(await made.pending()).toEqual([]);
      const { rows } = await made.ask(
        'member',
        variables,
        `select id from ${await ours('member', 'SELECT', 'docs')}`,
      );
      expect(rows).toEqual([['1']]);
      await owner.query(`drop view public.old_above, public.old_docs`);
    });
  });

  describe("a user's view that changes after its rules were applied", () => {
    /** Returns the drift, or undefined if nothing has changed since the last call. */
    const look = async () => {
      const subject = { model, login: `${made.prefix}gateway_login` };
      const seen = await inspectDrift(owner, subject, digest);
      digest = seen?.digest;
      return seen?.drift;
    };
    const drift = async () => (await look())?.differences.map(({ text }) => text);
    let digest: string | undefined;
    let model: Model;
    beforeAll(async () => {
      ({ model } = (await made.prepare()).loaded);
    });

    test('is reported as drift if a default is changed on the view through which a role writes it, and apply corrects the default', async () => {
      expect(await drift()).toEqual([]);
      const view = await ours('member', 'INSERT');
      const superuser = await made.database.connectSuperuser();
      await superuser.query(`alter view ${view} alter column made_by set default 'me'`);
      expect(await drift()).toEqual([
        expect.stringMatching(/^view write_\w+ by which member writes public.docs was altered$/),
      ]);
      await made.apply();
      expect(await drift()).toEqual([]);
    });

    test.each([
      ['on the view', 'public.docs'],
      ['on the table below', 'public.doc'],
    ])(
      'by a rewrite rule %s that bypasses its check is reported, and apply fails',
      async (_, name) => {
        await owner.query(`create rule pass as on insert to ${name} do instead nothing`);
        expect((await drift())?.join()).toContain('RG_VIEW public.docs is insertable no longer');
        const { message } = await failureOf(made.apply());
        expect(message).toContain('role "other": Postgres cannot insert through this view');
        await owner.query(`drop rule pass on ${name}`);
        expect(await drift()).toEqual([]);
      },
    );

    test('by losing security_barrier is reported as drift', async () => {
      await owner.query('alter view public.by_trigger reset (security_barrier)');
      expect(await drift()).toEqual([
        'RG_VIEW public.by_trigger is updatable no longer, or only around the checks of its rules',
      ]);
      await owner.query('alter view public.by_trigger set (security_barrier)');
    });

    test.each([
      ['docs', 'id, org_id, title, made_by, state'],
      ['deep', '*'],
    ])(
      'so that %s shows different rows causes a warning until the next apply',
      async (name, columns) => {
        const view = `view public.${name}`;
        await owner.query(
          `create or replace ${view} as select ${columns} from public.doc where id > 0`,
        );
        expect(await look()).toMatchObject({ differences: [], replaced: [view] });
        expect((await made.apply()).plan.changes).toEqual([]);
        digest = undefined;
        expect(await look()).toMatchObject({ differences: [], replaced: [] });
      },
    );

    test('by grants to PUBLIC is reported as drift, and apply revokes them', async () => {
      await owner.query('grant select, insert on public.docs to public');
      expect(await drift()).toHaveLength(2);
      await made.apply();
      expect(await drift()).toEqual([]);
    });

    test('by another column at its end is not reported and keeps its rules', async () => {
      await owner.query(
        'create or replace view public.above as select id, org_id, title, 1 as more from public.docs',
      );
      expect(await drift()).toEqual([]);
      const into = await ours('other', 'INSERT');
      expect(await other(`insert into ${into} values (8, 1, 'n')`)).toMatchObject({ affected: 1 });
    });
  });

  test("a user's view that was dropped with cascade and created again gets its rules back by apply", async () => {
    await owner.query(`drop view public.docs cascade;
    create view public.docs as select state, id, org_id, title, made_by from public.doc;
    create view public.above as select id, org_id, title from public.docs`);
    await made.apply();
    expect(await made.pending()).toEqual([]);
    const into = await ours('other', 'INSERT');
    expect(await failureOf(other(`insert into ${into} values (8, 2, 'n')`))).toMatchObject({
      code: '44000',
    });
  });

  test("uninstall drops the views of Rowgate and restores the privileges of the user's views", async () => {
    await uninstall(owner, { rolePrefix: made.prefix, login: undefined });
    const { rows } =
      await owner.query(`select (select count(*)::int from pg_class where relname ~ '^(write|rows)_') as views,
    (select count(*)::int from pg_trigger where tgname like '!rowgate%') as triggers,
    (select count(*)::int from public.docs) as docs,
    (select count(*)::int from pg_class c, aclexplode(c.relacl) x
      where c.relname in ('docs', 'above', 'copy') and x.grantee <> c.relowner) as rights`);
    expect(rows).toEqual([{ views: 0, triggers: 0, docs: 2, rights: 0 }]);
  });
});
