import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { query } from '../../../support/query.ts';
import { dataOf } from '../support/data-of.ts';
import { errorOf } from '../support/error-of.ts';
import { type Ask, type Gateway, startGateway } from '../support/gateway.ts';

const schema = `
create table task (
  id integer primary key, owner text, state text not null default 'open', title text, price integer,
  made_by text, changed_by text, at_level integer, secret text
);
`;

const own = '{ owner: { _eq: X-Gql-User } }';
const metadata = {
  'roles.yaml': 'roles: { worker: {}, onlooker: {}, nobody: {} }\n',
  'tables/task.yaml': `
table: task
permissions:
  worker:
    select: { filter: {}, columns: [id, owner, state, title, made_by, changed_by, at_level] }
    insert:
      check: { owner: { _eq: X-Gql-User }, state: { _in: [open, draft] } }
      columns: [id, owner, state, title, secret]
      set: { made_by: X-Gql-User, at_level: 5 }
    update:
      filter: ${own}
      check: { state: { _neq: closed } }
      columns: [title, state, secret]
      set: { changed_by: X-Gql-User, at_level: X-Gql-Level }
    delete: { filter: { _and: [${own}, { state: { _eq: draft } }] } }
  onlooker: { select: { filter: {}, columns: '*' } }
`,
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  await asOwner(`truncate task;
    insert into task (id, owner, state, title) values (1, 'ann', 'open', 'a'), (2, 'bob', 'open', 'b'), (3, 'ann', 'draft', 'c')`);
});

const asOwner = (sql: string) => query<object>(gateway.database.ownerUrl, sql);

const ann: Ask = { role: 'worker', variables: { User: 'ann', Level: '3' } };
const hint = '; it does not exist or role "worker" has no permission for it';

async function write(query: string, ask = ann) {
  return dataOf(await gateway.ask(`mutation { ${query} }`, ask));
}

const refused = async (query: string, ask = ann) =>
  errorOf(await gateway.ask(`mutation { ${query} }`, ask));

const failed = 'check constraint of an insert/update permission has failed';

describe('the check of a write rule', () => {
  test.each([
    [
      'insert_task(objects: [{id: 8, owner: "ann"}, {id: 9, owner: "bob"}]) { affected_rows }',
      '$.selectionSet.insert_task.args.objects',
    ],
    [
      'insert_task(objects: [{id: 8, owner: "ann", state: "closed"}]) { affected_rows }',
      '$.selectionSet.insert_task.args.objects',
    ],
    ['insert_task(objects: {id: 8}) { affected_rows }', '$.selectionSet.insert_task.args.objects'],
    ['update_task(where: {id: {_eq: 1}}, _set: {state: "closed"}) { affected_rows }', '$'],
    ['update_task(where: {}, _set: {state: "closed"}) { affected_rows }', '$'],
  ])('refuses the whole write if one row fails it: %s', async (query, path) => {
    expect(await refused(query)).toBe(`permission-error ${path} ${failed}`);
    expect(
      await asOwner("select count(*)::int as n from task where state = 'closed' or id > 3"),
    ).toEqual([{ n: 0 }]);
  });

  test('allows a write whose rows satisfy it', async () => {
    expect(
      await write('insert_task_one(object: {id: 8, owner: "ann", state: "draft"}) { state }'),
    ).toEqual({
      insert_task_one: { state: 'draft' },
    });
    expect(
      await write('update_task_by_pk(pk_columns: {id: 1}, _set: {state: "done"}) { state }'),
    ).toEqual({
      update_task_by_pk: { state: 'done' },
    });
  });
});

describe('columns that a role may not write, used as input,', () => {
  test.each([
    [
      'insert_task_one(object: {id: 8, owner: "ann", NAME: 7}) { id }',
      'insert_task_one.args.object',
      'task_insert_input',
    ],
    [
      'insert_task(objects: [{id: 8}, {NAME: 7}]) { affected_rows }',
      'insert_task.args.objects[1]',
      'task_insert_input',
    ],
    [
      'update_task(where: {}, _set: {NAME: 7}) { affected_rows }',
      'update_task.args._set',
      'task_set_input',
    ],
    [
      'update_task_by_pk(pk_columns: {id: 1}, _set: {NAME: 7}) { id }',
      'update_task_by_pk.args._set',
      'task_set_input',
    ],
    [
      'update_task_many(updates: {where: {}, _set: {NAME: 7}}) { affected_rows }',
      'update_task_many.args.updates[0]._set',
      'task_set_input',
    ],
    [
      'delete_task(where: {NAME: {_eq: 7}}) { affected_rows }',
      'delete_task.args.where',
      'task_bool_exp',
    ],
    [
      'update_task(where: {NAME: {_eq: 7}}, _set: {title: ""}) { affected_rows }',
      'update_task.args.where',
      'task_bool_exp',
    ],
  ])('are refused like nonexistent names: %s', async (query, path, type) => {
    for (const name of ['price', 'no_such_column']) {
      expect(await refused(query.replace('NAME', name))).toBe(
        `validation-failed $.selectionSet.${path}.${name} field '${name}' not found in type: '${type}'${hint}`,
      );
    }
    expect(await refused('insert_task_one(object: {made_by: "eve"}) { id }')).toContain(
      `field 'made_by' not found in type: 'task_insert_input'`,
    );
  });

  test('are refused in variables, even beside columns that the role may write', async () => {
    const query = 'mutation ($o: task_insert_input!) { insert_task_one(object: $o) { id } }';
    const answer = await gateway.ask(query, { ...ann, with: { o: { id: 1, price: 4 } } });
    expect(errorOf(answer)).toBe(
      `validation-failed $.selectionSet.insert_task_one.args.object.price field 'price' not found in type: 'task_insert_input'${hint}`,
    );
  });

  test('are distinguished from columns that the role may write but not read, which are written and not returned', async () => {
    await write('insert_task_one(object: {id: 8, owner: "ann", secret: "s"}) { id }');
    await write('update_task(where: {id: {_eq: 1}}, _set: {secret: "t"}) { affected_rows }');
    expect(
      await asOwner('select id, secret from task where secret is not null order by id'),
    ).toEqual([
      { id: 1, secret: 't' },
      { id: 8, secret: 's' },
    ]);
    expect(
      await refused('update_task(where: {}, _set: {secret: "t"}) { returning { secret } }'),
    ).toContain("field 'secret' not found in type: 'task'");
  });
});

describe('a role without any write rule', () => {
  test.each([['onlooker'], ['nobody']])('has no mutations: %s', async (role) => {
    for (const field of ['__typename', 'insert_task_one(object: {id: 1}) { id }', 'nonsense']) {
      expect(errorOf(await gateway.ask(`mutation { ${field} }`, { role }))).toBe(
        `validation-failed $ no mutations exist; the role "${role}" has no permission for any`,
      );
    }
    const { data } = await gateway.ask('{ __schema { mutationType { name } } }', { role });
    expect(data.__schema.mutationType).toBeNull();
  });
});
