import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryCheckName, keyRowsName } from '../../../permissions/text/object-names.ts';
import { query } from '../../support/query.ts';
import { type Gateway, startGateway } from './support/gateway.ts';

const schema = `
create table team (id int primary key, name text not null);
create table member (team_id int not null references team, person int not null, primary key (team_id, person));
create table task (id int primary key, team_id int not null references team);
create table note (id int primary key, task_id int not null references task);
create index on member (person);
create index on task (team_id);
create index on note (task_id);
insert into team values (1, 'a'), (2, 'b');
insert into member values (1, 7), (2, 8);
insert into task values (1, 1), (2, 2);
insert into note values (1, 1), (2, 2);`;

const metadata = {
  'roles.yaml': 'roles: { reader: {} }\n',
  'tables/team.yaml': 'table: team\n',
  'tables/member.yaml': 'table: member\n',
  'tables/task.yaml': `table: task
permissions: { reader: { select: { filter: { team: { members: { person: { _eq: X-Gql-Person } } } }, columns: [id, team_id], allow_aggregations: true } } }
`,
  'tables/note.yaml': `table: note
permissions: { reader: { select: { filter: {}, columns: [id, task_id] } } }
`,
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

const ask = async (text: string, person = '7') =>
  (await gateway.ask(text, { role: 'reader', variables: { Person: person } })).data;

const lists = '{ task { id } task_aggregate { aggregate { count } } }';
const single =
  '{ one: task_by_pk(id: 1) { id } two: task_by_pk(id: 2) { id } note { task { id } } }';
const hidden = { one: null, two: null, note: [{ task: null }, { task: null }] };

test('a caller with a membership reads the tasks of its team, in lists and by key', async () => {
  expect(await ask(lists)).toEqual({
    task: [{ id: 1 }],
    task_aggregate: { aggregate: { count: 1 } },
  });
  expect(await ask(single)).toEqual({
    one: { id: 1 },
    two: null,
    note: [{ task: { id: 1 } }, { task: null }],
  });
});

test('a caller without memberships reads no task', async () => {
  expect(await ask(lists, '9')).toEqual({
    task: [],
    task_aggregate: { aggregate: { count: 0 } },
  });
  expect(await ask('{ task_by_pk(id: 1) { id } }', '9')).toEqual({ task_by_pk: null });
});

describe('when a superuser restricts what the role reads of the table', () => {
  const member = () => `"${gateway.rolePrefix}reader"`;

  test.each([
    ['a restrictive policy for the role', member],
    ['a restrictive policy for all', () => 'public'],
  ])('%s hides the row by key and in object relationships', async (_what, to) => {
    const { superuserUrl } = gateway.database;
    await query(
      superuserUrl,
      `create policy own on task as restrictive to ${to()} using (id <> 1)`,
    );
    expect(await ask('{ task { id } }')).toEqual({ task: [] });
    expect(await ask(single)).toEqual(hidden);
    await query(superuserUrl, 'drop policy own on task');
    expect(await ask('{ task_by_pk(id: 1) { id } }')).toEqual({ task_by_pk: { id: 1 } });
  });

  test('a revoked column closes the row by key', async () => {
    const { superuserUrl } = gateway.database;
    await query(superuserUrl, `revoke select (team_id) on task from ${member()}`);
    expect(await ask('{ task_by_pk(id: 1) { id team_id } }')).toEqual({ task_by_pk: null });
    await query(superuserUrl, `grant select (team_id) on task to ${member()}`);
    expect(await ask('{ task_by_pk(id: 1) { id } }')).toEqual({ task_by_pk: { id: 1 } });
  });

  test("a table without the role's policy has no row by key", async () => {
    const { superuserUrl } = gateway.database;
    await query(superuserUrl, 'drop policy "rowgate/reader/select" on task');
    expect(await ask(single)).toEqual(hidden);
    await gateway.apply();
    expect(await ask('{ task_by_pk(id: 1) { id } }')).toEqual({ task_by_pk: { id: 1 } });
  });
});

// The tests above need the views as apply created them.
describe('when a superuser replaces a view by an empty one', () => {
  test('lists and aggregates stop at the view that is empty without memberships', async () => {
    await emptied(entryCheckName, 'true as found');
    expect(await ask(lists)).toEqual({
      task: [],
      task_aggregate: { aggregate: { count: 0 } },
    });
    expect(await ask('{ task_by_pk(id: 1) { id } }')).toEqual({ task_by_pk: { id: 1 } });
  });

  test('rows by key and object relationships come from the view of single rows', async () => {
    await emptied(keyRowsName, 'id, team_id from public.task');
    expect(await ask(single)).toEqual(hidden);
  });
});

async function emptied(nameOf: typeof keyRowsName, select: string): Promise<void> {
  const name = nameOf(`${gateway.rolePrefix}reader`, 'public.task');
  const { superuserUrl } = gateway.database;
  await query(
    superuserUrl,
    `create or replace view rowgate_api.${name} as select ${select} where false`,
  );
}
