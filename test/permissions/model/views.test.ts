import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MetadataError } from '../../../permissions/errors.ts';
import { failureOf } from '../support/as-role.ts';
import { type Installation, makeInstallation } from '../support/installation.ts';

const schema = `
create table org (id int primary key, name text);
create table doc (id int primary key, org_id int references org, title text, secret text);
create table loose (id int);
create table bare ();
create view nothing as select;
create view plain as select id, org_id, title, secret, upper(title) as loud from doc;
create view counted as select org_id, count(*) as docs from doc group by 1;
create view ruled as select id, title from doc;
create rule instead as on insert to ruled do instead nothing;
create view above as select id, title from ruled;
create view by_trigger as select id, title from doc;
create function change() returns trigger language plpgsql as 'begin return new; end';
create trigger change instead of update or delete on by_trigger for each row execute function change();
create view above_trigger with (security_barrier) as select id, title from by_trigger;
create materialized view copy as select * from doc;
create view own with (security_invoker) as select id, title, secret from doc;
create view other with (security_invoker) as select id from loose;
create view outer_one as select * from own;
create view own_of_view with (security_invoker) as select id from plain;
create view how_many with (security_invoker) as select count(*) as docs from doc;
create table colors (value text primary key, comment text);
create table wide (value text primary key, comment text, extra text);
create table numbers (value int primary key);
create table keyless (value text);
create table twice (a text, b text, primary key (a, b));`;

let made: Installation;
beforeAll(async () => {
  made = await makeInstallation({ schema, rules: { 'roles.yaml': 'roles: { member: {} }\n' } });
  const superuser = await made.database.connectSuperuser();
  await superuser.query(
    `create foreign data wrapper far; create server far foreign data wrapper far; create foreign table far (id int) server far`,
  );
});
afterAll(() => made.drop());

/** Returns the message about the mistakes in the given files of tables. */
async function mistakes(tables: Readonly<Record<string, string>>): Promise<string> {
  const files = Object.entries(tables).map(([name, text]) => [
    `tables/${name}.yaml`,
    `table: ${name}\n${text}`,
  ]);
  await made.rewrite({ 'roles.yaml': 'roles: { member: {} }\n', ...Object.fromEntries(files) });
  const error = await failureOf(made.prepare());
  expect(error).toBeInstanceOf(MetadataError);
  return error.message;
}

const rules = (text: string) => `permissions: { member: { ${text} } }\n`;
const select = "select: { filter: {}, columns: '*' }";

describe('loading refuses a rule on a view', () => {
  test.each([
    ['counted', "insert: { check: {}, columns: '*' }", 'Postgres cannot insert through this view'],
    ['counted', 'delete: { filter: {} }', 'Postgres cannot delete through this view'],
    [
      'copy',
      "update: { filter: {}, columns: '*' }",
      'Postgres cannot update through this materialized view',
    ],
    ['by_trigger', "update: { filter: {}, columns: '*' }", 'alter view … set (security_barrier)'],
    ['above_trigger', 'delete: { filter: {} }', 'Postgres cannot delete through this view'],
    ['ruled', "insert: { check: {}, columns: '*' }", 'Postgres cannot insert through this view'],
    ['above', "insert: { check: {}, columns: '*' }", 'Postgres cannot insert through this view'],
    [
      'plain',
      'insert: { check: {}, columns: [] }',
      'nothing can be inserted through a view without a column that clients may give',
    ],
    ['plain', 'insert: { check: {}, columns: [loud] }', 'RG_NOT_WRITABLE column "loud"'],
    [
      'plain',
      'update: { filter: {}, check: { id: { _gt: 1 } }, columns: [title] }',
      'checks changed rows of a view against its filter or not at all',
    ],
    [
      'plain',
      'update: { filter: {}, set: { secret: s }, columns: [title] }',
      'presets cannot fill columns of a view on update',
    ],
  ])('on %s: %s', async (name, text, message) => {
    expect(await mistakes({ [name]: rules(text) })).toContain(message);
  });

  test('that has security_invoker and reads a column that the role may not read', async () => {
    const doc = rules('select: { filter: {}, columns: [id, title] }');
    expect(await mistakes({ doc, own: rules(select) })).toMatch(
      /RG_VIEW .*the right to read "secret" of public.doc/,
    );
    const whole = rules(select);
    expect(
      await mistakes({ doc: whole, own: rules("insert: { check: {}, columns: '*' }") }),
    ).toContain('for it is a security_invoker one');
    expect(await mistakes({ other: '' })).toMatch(/role "admin": .*the right to read public.loose/);
    expect(await mistakes({ doc, outer_one: rules(select) })).toContain('"secret" of public.doc');
    expect(await mistakes({ plain: '', own_of_view: '' })).toContain('to read public.plain');
    expect(await mistakes({ how_many: rules(select) })).toMatch(
      /role "member": .*the right to read public.doc/,
    );
  });

  test('when the rule of another table reads a view with security_invoker', async () => {
    const relationships =
      'relationships: { own: { table: own, columns: { id: id }, kind: object } }\n';
    const doc =
      relationships + rules("select: { filter: { own: { title: { _eq: x } } }, columns: '*' }");
    expect(await mistakes({ doc, own: '' })).toContain('which is or reads a security_invoker view');
  });

  test('with event triggers, because a view has none', async () => {
    const events = 'events: { seen: { operations: [insert], webhook: /x } }\n';
    expect(await mistakes({ plain: events })).toContain('RG_EVENT public.plain is a view');
  });
});

test.each(['bare', 'nothing'])(
  'loading refuses a file for %s, because it has no column',
  async (name) => {
    expect(await mistakes({ [name]: '' })).toMatch(
      new RegExp(`${name}\\.yaml:1:8 RG_UNSUPPORTED_TABLE public.${name} has no column`),
    );
  },
);

test('loading refuses a file for a foreign table', async () => {
  expect(await mistakes({ far: '' })).toContain(
    'RG_UNSUPPORTED_TABLE public.far is a foreign table',
  );
});

describe('a table with is_enum', () => {
  test.each([
    ['wide', 'it has 3 columns'],
    ['numbers', 'column "value" is no text'],
    ['keyless', 'it has no primary key'],
    ['twice', 'its primary key has several columns'],
    ['plain', 'it has no primary key'],
  ])('is refused if it is %s: %s', async (name, message) => {
    const text = await mistakes({ [name]: 'is_enum: true\n' });
    expect(text).toContain(`RG_ENUM public.${name} cannot be an enum: ${message}`);
  });

  test('reserves the GraphQL type name that ends in _enum', async () => {
    const text = await mistakes({
      colors: 'is_enum: true\n',
      org: 'graphql: { name: colors_enum }\n',
    });
    expect(text).toMatch(/RG_NAME_CONFLICT .*would both be "colors_enum"/);
  });
});
