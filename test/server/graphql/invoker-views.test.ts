import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorOf } from './support/error-of.ts';
import { type Gateway, startGateway } from './support/gateway.ts';

const schema = `
create table doc (id int primary key, org_id int not null, title text);
insert into doc values (1, 1, 'a'), (2, 2, 'b'), (3, 1, 'c');
create view titles with (security_invoker) as select id, title from doc where org_id > 0;
create view sizes with (security_invoker) as select count(*) as docs from doc;`;

const metadata = {
  'roles.yaml': 'roles: { member: { group: a, purpose: reads } }\n',
  'tables/doc.yaml': `table: doc
permissions: { member: { select: { filter: { org_id: { _eq: X-Gql-Org } }, columns: [id, title, org_id] } } }
`,
  'tables/titles.yaml': `table: titles
permissions: { member: { select: { filter: { title: { _neq: a } }, columns: [id, title], allow_aggregations: true } } }
`,
  'tables/sizes.yaml': `table: sizes
permissions: { member: { select: { filter: {}, columns: '*' } } }
`,
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

const member = { role: 'member', variables: { Org: '2' } };

test('a security_invoker view shows a role only rows that the rules of its base tables allow', async () => {
  const query = '{ titles { id title } titles_aggregate { aggregate { count } } sizes { docs } }';
  expect((await gateway.ask(query, member)).data).toEqual({
    titles: [{ id: 2, title: 'b' }],
    titles_aggregate: { aggregate: { count: 1 } },
    sizes: [{ docs: 1 }],
  });
  expect((await gateway.ask(query)).data.sizes).toEqual([{ docs: 3 }]);
});

test('a security_invoker view shows only rows that its own rule allows in addition to the rules of its base tables', async () => {
  const one = { role: 'member', variables: { Org: '1' } };
  expect((await gateway.ask('{ titles { id } }', one)).data).toEqual({ titles: [{ id: 3 }] });
});

test('a security_invoker view has no insert mutation', async () => {
  const query = 'mutation { insert_titles(objects: []) { affected_rows } }';
  expect(errorOf(await gateway.ask(query))).toContain("field 'insert_titles' not found");
});

test('a role has no direct privilege on a security_invoker view in SQL', async () => {
  const owner = await gateway.database.connectOwner();
  const { rows } = await owner.query(
    "select has_any_column_privilege($1, 'titles', 'SELECT') as direct",
    [`rowgate_${gateway.database.name}_member`],
  );
  expect(rows).toEqual([{ direct: false }]);
});

test('the rule of a view still applies when security_invoker is switched off and on', async () => {
  const owner = await gateway.database.connectOwner();
  await owner.query('alter view titles set (security_invoker = off)');
  expect((await gateway.ask('{ titles { id } }', member)).data.titles).toEqual([
    { id: 2 },
    { id: 3 },
  ]);
  await gateway.apply();
  await owner.query('alter view titles set (security_invoker = on)');
  expect((await gateway.ask('{ titles { id } }', member)).data.titles).toEqual([{ id: 2 }]);
});
