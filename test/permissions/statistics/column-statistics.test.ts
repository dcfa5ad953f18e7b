import type pg from 'pg';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
} from 'vitest';
import { uninstall } from '../../../permissions/apply/uninstall.ts';
import { inspectDrift } from '../../../permissions/drift/inspect-drift.ts';
import { allFindings } from '../../../permissions/lint/all-findings.ts';
import { bindVariables } from '../../../permissions/login/bind-variables.ts';
import { createLogin } from '../../../permissions/login/create-login.ts';
import { asSuperuser } from '../../support/superuser.ts';
import { withPrepared } from '../lint/with-prepared.ts';
import { failureOf } from '../support/as-role.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { type Snapshot, takeSnapshot } from '../support/snapshot.ts';

/** The attacker's organization is 1. Rows of organization 2 are hidden, and many of them hold the same text. */
const schema = `
create domain word as text;
create table document (id integer primary key, org_id integer not null, title text not null, note varchar(80) not null, code text unique,
  label citext not null default 'l', kind word not null default 'k');
create index lower_title on document (lower(title));
create index document_org on document (org_id);
create table letter (id integer not null, org_id integer not null, title text not null) partition by range (id);
create table letter_old partition of letter for values from (0) to (501);
create table letter_new partition of letter for values from (501) to (10000);
create index letter_org on letter (org_id);
create index lower_letter on letter (lower(title));
insert into document select i, i % 2 + 1, case i % 2 when 0 then 'ours' else 'secret merger' end, case i % 2 when 0 then 'ours' else 'secret note' end, 'code ' || i
  from generate_series(1, 1000) i;
insert into letter select i, i % 2 + 1, case i % 2 when 0 then 'ours' else 'secret merger' end from generate_series(1, 1000) i;
create table source (id integer, org_id integer, title text);
insert into source select id, org_id, title from document;
create materialized view listed as select id, org_id, title from source;
create view plain as select id, org_id, note from document;
analyze;
`;

const own = 'filter: { org_id: { _eq: X-Gql-Org-Id } }';
/**
 * Since Postgres 18, an owner clears collected statistics with pg_clear_attribute_stats. Before Postgres 18, an owner
 * can only change the type of the column to clear them. Postgres refuses that for a materialized view, and for a column
 * that a view names; the statistics then remain, and `check` reports them.
 */
const ownerClearsStatistics = inject('serverVersion') >= 180000;

const hasVirtualColumns = inject('serverVersion') >= 180000;

const none = 'columns: { title: { statistics: none } }\n';

const table = (name: string, columns: string, more = '') =>
  `table: ${name}\npermissions:\n  member:\n    select: { ${own}, columns: [${columns}] }\n${more}`;

const open = {
  'roles.yaml': 'roles:\n  member: { requires: [X-Gql-Org-Id] }\n',
  'tables/document.yaml': table('document', 'id, title, note, code, label, kind'),
  'tables/letter.yaml': table('letter', 'id, title'),
  'tables/listed.yaml': table('listed', 'id, title'),
  'tables/plain.yaml': table('plain', 'id, note'),
};

const closed = {
  ...open,
  'tables/document.yaml': table('document', 'id, title, note, code, label, kind', none),
  'tables/letter.yaml': table('letter', 'id, title', none),
  'tables/listed.yaml': table('listed', 'id, title', none),
};

let snapshots: Readonly<Record<'open' | 'closed', Snapshot>>;
let made: Installation;
beforeAll(async () => {
  snapshots = {
    open: await takeSnapshot({ schema, rules: open }),
    closed: await takeSnapshot({ schema, rules: closed }),
  };
});
afterEach(async () => {
  await made.disconnect();
  await asSuperuser(`drop role if exists "login_of_${made.prefix}"`);
});
afterAll(async () => {
  await snapshots.open.drop();
  await snapshots.closed.drop();
  await removeMetadata();
});

/** Starts a test with rules that are applied to a new database. */
async function begin(rules: keyof typeof snapshots): Promise<void> {
  made = await snapshots[rules].restore();
}

/** Creates and connects a direct login of the attacker's organization. */
async function logIn(): Promise<pg.Client> {
  const model = await made.model();
  const role = model.roles.get('member');
  if (!role) throw new Error('no role');
  const { values } = bindVariables(['X-Gql-Org-Id=1'], role, {
    ...{ headerPrefix: 'X-Gql-', takesSession: false },
  });
  const name = `login_of_${made.prefix}`;
  const login = { name, role, variables: values, password: 'of a test', headerPrefix: 'X-Gql-' };
  await createLogin(made.owner, login);
  return made.connectAs(name);
}

/** Returns the number of rows that the planner expects. */
async function estimate(client: pg.Client, table: string, where: string): Promise<number> {
  const { rows } = await client.query(`explain (format json) select from ${table} where ${where}`);
  return rows[0]['QUERY PLAN'][0].Plan['Plan Rows'];
}

/** Returns the estimates for a value that is frequent in hidden rows, and for a value that no row has. */
async function estimates(client: pg.Client, table: string, expression: string) {
  return [
    await estimate(client, table, `${expression} = 'secret merger'`),
    await estimate(client, table, `${expression} = 'is nowhere'`),
  ] as const;
}

async function target(relation: string, attribute: string): Promise<number> {
  const { rows } = await made.owner.query(
    'select coalesce(attstattarget, -1)::int as target from pg_attribute where attrelid = $1::regclass and attname = $2',
    [relation, attribute],
  );
  return rows[0].target;
}

/** Returns the findings of check about planner estimates, without positions. */
const reported = (): Promise<readonly string[]> =>
  withPrepared(made.owner, made, async (prepared) =>
    (await allFindings(made.owner, prepared))
      .filter(({ code }) => code === 'RG_ESTIMATE_REVEALS')
      .map(({ message, hint }) => `${message}; ${hint}`.replaceAll(made.prefix, 'P_')),
  );

const apply = async (files: typeof open) => {
  await made.rewrite(files);
  return made.applied();
};

/** Returns the view through which a role reads a view or materialized view of the metadata. */
async function rowsViewOf(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = 'rowgate_api'::regnamespace and c.relname like 'rows\\_%'
       and pg_get_viewdef(c.oid) like '%' || $1 || '%' and has_table_privilege(c.oid, 'select')`,
    [name],
  );
  return rows[0].name;
}

describe('the row estimates of the Postgres planner', () => {
  test.each([
    ['a column', 'document', 'title'],
    ['an expression with an index', 'document', 'lower(title)'],
    ['a column of a partitioned table', 'letter', 'title'],
    ['an expression with an index on partitions', 'letter', 'lower(title)'],
  ])(
    'for %s reveal frequent values of hidden rows until the table file has statistics: none',
    async (_what, name, expression) => {
      await begin('open');
      const login = await logIn();
      const [secret, nowhere] = await estimates(login, name, expression);
      expect(secret).toBeGreaterThan(nowhere * 10);
      await apply(closed);
      await made.owner.query('analyze');
      const [after, same] = await estimates(login, name, expression);
      expect(after).toBe(same);
    },
  );

  test.runIf(ownerClearsStatistics)(
    'for a materialized view reveal nothing once its file has statistics: none, since Postgres 18',
    async () => {
      await begin('closed');
      const login = await logIn();
      await made.owner.query('analyze');
      const [secret, nowhere] = await estimates(login, await rowsViewOf(login, 'listed'), 'title');
      expect(secret).toBe(nowhere);
    },
  );

  test('for a column that the role may not read are refused together with the query', async () => {
    await begin('open');
    const login = await logIn();
    const { code } = await failureOf(login.query('explain select from document where org_id = 2'));
    expect(code).toBe('42501');
  });

  test('for a view reveal frequent values of hidden rows of its table', async () => {
    await begin('open');
    const login = await logIn();
    const view = await rowsViewOf(login, 'plain');
    const secret = await estimate(login, view, "note = 'secret note'");
    expect(secret).toBeGreaterThan((await estimate(login, view, "note = 'is nowhere'")) * 10);
  });
});

const label = (name: string) => `statistics: none of public.${name}.title`;
const all = ['document', 'letter', 'listed'].map(label);

describe('statistics: none for a column', () => {
  test('appears in the plan once and leaves nothing pending after apply', async () => {
    await begin('open');
    expect(await apply(closed)).toEqual([
      ...all.map((one) => `create ${one}`),
      'replace fingerprint of the metadata',
    ]);
    expect(await made.pending()).toEqual([]);
  });

  test('does not remove the statistics of other columns', async () => {
    await begin('closed');
    const login = await logIn();
    const secret = await estimate(login, 'document', "note = 'secret note'");
    expect(secret).toBeGreaterThan(10);
  });

  test('stops applying when the file no longer has it: the column gets statistics again, in indexes and partitions too', async () => {
    await begin('closed');
    expect(await apply(open)).toEqual([
      ...all.map((one) => `drop ${one}`),
      'replace fingerprint of the metadata',
    ]);
    await made.owner.query('analyze');
    const login = await logIn();
    for (const [name, expression] of [
      ['document', 'title'],
      ['document', 'lower(title)'],
      ['letter', 'title'],
    ] as const) {
      const [secret, nowhere] = await estimates(login, name, expression);
      expect(secret).toBeGreaterThan(nowhere * 10);
    }
  });

  test('is undone by uninstall, in partitions and indexes too', async () => {
    made = await install({ schema, rules: closed });
    onTestFinished(made.drop);
    await uninstall(made.owner, { rolePrefix: made.prefix, login: undefined });
    expect(await target('letter_old', 'title')).toBe(-1);
    expect(await target('lower_title', 'lower')).toBe(-1);
  });

  test('does not change a statistics target that was set manually on another column', async () => {
    await begin('open');
    await made.owner.query('alter table document alter column note set statistics 0');
    await apply(closed);
    await apply(open);
    expect(await target('document', 'note')).toBe(0);
  });

  test('is reported as drift when the column has statistics again, also by the gateway login', async () => {
    await begin('closed');
    const model = await made.model();
    const gateway = await made.connectGateway();
    const subject = { model, login: `${made.prefix}gateway_login` };
    const before = await inspectDrift(gateway, subject);
    expect(before?.drift.differences).toEqual([]);
    await made.owner.query('alter table document alter column title set statistics -1');
    const after = await inspectDrift(gateway, subject, before?.digest);
    expect(after?.drift.differences.map((one) => one.text)).toEqual([
      `${label('document')} is missing`,
    ]);
    expect(await made.applied()).toEqual([`create ${label('document')}`]);
  });

  test.each([
    [
      'a partition',
      'create table letter_more partition of letter for values from (10000) to (20000)',
      'letter',
    ],
    [
      'an index with an expression',
      'create index upper_title on document (upper(title))',
      'document',
    ],
  ])(
    'is extended to %s that was added later, at the next apply',
    async (_what, statement, name) => {
      await begin('closed');
      await made.owner.query(statement);
      expect(await made.pending()).toContain(`replace ${label(name)}`);
      await made.apply();
      expect(await made.pending()).toEqual([]);
    },
  );

  test('works for a table and a column with names that need quotes', async () => {
    await begin('open');
    const name = `we"ird'$$ \\ %I`;
    const quoted = `"we""ird'$$ \\ %I"`;
    await made.owner.query(`create table ${quoted} (id integer primary key, ${quoted} text); create index on ${quoted} (lower(${quoted}));
      insert into ${quoted} select i, 'same' from generate_series(1, 100) i; analyze ${quoted}`);
    const file = { table: { schema: 'public', name }, columns: { [name]: { statistics: 'none' } } };
    await made.rewrite({ ...open, 'tables/weird.yaml': JSON.stringify(file) });
    await made.apply();
    expect(await made.pending()).toEqual([]);
    const { rows } = await made.owner.query('select from pg_stats where attname = $1', [name]);
    expect(rows).toEqual([]);
    await apply(open);
    expect(await target(quoted, name)).toBe(-1);
  });

  test('keeps type, default, constraints, indexes and comment of the column', async () => {
    await begin('open');
    await made.owner.query(`alter table document alter column title type varchar(90) collate "C", alter column title set default 'n',
      add constraint titled check (title <> '') not valid; create index on document (title); comment on column document.title is 'what it is about';
      analyze document`);
    const described = async () => {
      const { rows } = await made.owner.query(
        `select format_type(a.atttypid, a.atttypmod), a.attcollation::regcollation::text, a.attnotnull, pg_get_expr(d.adbin, d.adrelid), col_description(a.attrelid, a.attnum),
           (select string_agg(pg_get_constraintdef(oid), ',' order by conname) from pg_constraint where conrelid = a.attrelid) as constraints,
           (select string_agg(pg_get_indexdef(indexrelid), ',' order by indexrelid::regclass::text) from pg_index where indrelid = a.attrelid) as indexes
         from pg_attribute a join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum where a.attrelid = 'document'::regclass and a.attname = 'title'`,
      );
      return rows;
    };
    const before = await described();
    await apply(closed);
    expect(before).toHaveLength(1);
    expect(await described()).toEqual(before);
  });

  test.each([
    [
      'a column that does not exist',
      'document',
      'titel: { statistics: none }',
      'column "titel" does not exist on public.document',
    ],
    [
      'a view',
      'plain',
      'note: { statistics: none }',
      'public.plain is a view, of which Postgres keeps no statistics',
    ],
    ['another value', 'document', 'title: { statistics: some }', 'must be none'],
    ['a column without a setting', 'document', 'title: {}', 'statistics'],
  ])('is refused by apply for %s', async (_what, name, column, problem) => {
    await begin('open');
    const file = `tables/${name}.yaml`;
    const more = `columns: { ${column} }\n`;
    await made.rewrite({ ...open, [file]: table(name, 'id', more) });
    expect((await failureOf(made.apply())).message).toContain(problem);
  });
});

describe.runIf(hasVirtualColumns)(
  'a virtual generated column, for which Postgres keeps no statistics,',
  () => {
    const files = (more = '') => ({
      ...open,
      'tables/drawn.yaml': table('drawn', 'id, shout', more),
    });
    beforeEach(async () => {
      await begin('open');
      await made.owner.query(
        'create table drawn (id integer primary key, org_id integer, title text, shout text generated always as (upper(title)) virtual)',
      );
    });

    test('is not reported by check', async () => {
      await logIn();
      await apply(files());
      expect(await reported()).not.toContainEqual(expect.stringContaining('drawn'));
    });

    test('is refused by apply with statistics: none', async () => {
      await made.rewrite(files('columns: { shout: { statistics: none } }\n'));
      expect((await failureOf(made.apply())).message).toContain(
        'public.drawn.shout is virtual, and Postgres keeps no statistics of it',
      );
    });
  },
);

describe('check, about row estimates that reveal hidden values,', () => {
  const hint =
    'write columns: { …: { statistics: none } } in the table file of those whose texts must stay hidden';
  const finding = (key: string, columns: string) =>
    `planner estimates show "login_of_P_" how frequent texts are in rows of ${key} that the rules of member hide, by ${columns}; ${hint}`;

  test('reports nothing while no direct login exists', async () => {
    await begin('open');
    expect(await reported()).toEqual([]);
  });

  test('reports the text columns that a direct login reads, except unique ones', async () => {
    await begin('open');
    await logIn();
    expect(await reported()).toEqual([
      finding('public.document', 'title, note, label, kind'),
      finding('public.letter', 'title'),
      finding('public.listed', 'title'),
      finding('public.plain', 'public.document.note'),
    ]);
  });

  test('reports no column with statistics: none', async () => {
    await begin('open');
    await logIn();
    await made.rewrite({ ...closed, 'tables/listed.yaml': 'table: listed\n' });
    await made.apply();
    expect(await reported()).toEqual([
      finding('public.document', 'note, label, kind'),
      finding('public.plain', 'public.document.note'),
    ]);
  });

  test('reports statistics that remain in spite of statistics: none, and the statement that removes them', async () => {
    await begin('open');
    await apply({ ...closed, 'tables/listed.yaml': 'table: listed\n' });
    expect(await reported()).toEqual([]);
    await made.owner.query(`alter table document alter column title set statistics 100; analyze document;
      alter table document alter column title set statistics 0`);
    const statement = `delete from pg_catalog.pg_statistic where (starelid, staattnum) in (('public.document'::regclass, 3))`;
    expect(await reported()).toEqual([
      `the file of public.document.title has statistics: none, but earlier statistics remain; as a superuser: ${statement}`,
    ]);
    const superuser = await made.database.connectSuperuser();
    await superuser.query(statement);
    expect(await reported()).toEqual([]);
    const [secret, nowhere] = await estimates(await logIn(), 'document', 'title');
    expect(secret).toBe(nowhere);
  });

  test('reports extended statistics that contain the values of a column with statistics: none', async () => {
    await begin('open');
    await apply({ ...closed, 'tables/listed.yaml': 'table: listed\n' });
    await made.owner.query(
      'create statistics public.pair (mcv) on title, note from document; create statistics public.fine (dependencies) on title, note from document',
    );
    expect(await reported()).toEqual([
      'the file of public.document.title has statistics: none, but extended statistics contain its values; run: drop statistics public.pair',
    ]);
  });

  test.runIf(!ownerClearsStatistics)(
    'reports, before Postgres 18, statistics that the owner cannot remove because a view names the column',
    async () => {
      await begin('open');
      await made.owner.query('create view beside as select title from document');
      await apply(closed);
      const [first] = await reported();
      expect(first).toMatch(
        /^the file of public\.document\.title has statistics: none, but earlier statistics remain/,
      );
    },
  );
});
