import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadModel, type Model } from '../../../permissions/index.ts';
import { people, metadata as staff, schema as staffSchema } from '../graphql/inherited/staff.ts';
import {
  type Answer,
  type Ask,
  type Gateway,
  headersOf,
  startGateway,
} from '../graphql/support/gateway.ts';

// A view has no row security, so Rowgate creates one view for each role that reads it.
const view = `
create view earning as select id, name, salary from employee;
-- PostGraphile follows foreign keys backwards where an index makes that cheap.
create index on review (employee_id);
`;
const metadata = {
  ...staff,
  'tables/earning.yaml': `table: earning
permissions:
  self: { select: { filter: { id: X-Gql-User-Id }, columns: [id, salary] } }
  anyone: { select: { filter: {}, columns: [name] }, update: { filter: {}, columns: [name] } }
`,
  'graphile.yaml': '{}\n',
};

let gateway: Gateway;
let client: pg.Client;
let model: Model;
beforeAll(async () => {
  gateway = await startGateway({ schema: `${staffSchema}${people}${view}`, metadata });
  client = await gateway.database.connectOwner();
  model = await loadModel({ metadata: gateway.folder, client, headerPrefix: 'X-Gql-' });
});
afterAll(() => gateway.stop());

async function ask(query: string, who: Ask): Promise<Answer> {
  const init = { headers: headersOf(who), body: JSON.stringify({ query }) };
  return (await gateway.send(init, '/graphql')).json() as Promise<Answer>;
}

const lists = {
  department: 'allDepartments',
  employee: 'allEmployees',
  review: 'allReviews',
  earning: 'allEarnings',
} as const;

const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted();

describe.each([
  ...['admin', 'self', 'boss', 'anyone', 'staff', 'staff_and_anyone', 'own_rule'],
  ...['payer', 'noter', 'apart'],
])("PostGraphile's endpoint in the role %s", (role) => {
  test.each([
    ['user Ann with boss 9', { 'User-Id': '1', 'Boss-Id': '9' }],
    ['user Dee with boss 1', { 'User-Id': '4', 'Boss-Id': '1' }],
    ['user Cid with an unknown boss', { 'User-Id': '3', 'Boss-Id': '77' }],
  ])("returns the same rows and values as Hasura's dialect, as %s", async (_caller, variables) => {
    const who = { role, variables };
    const tables = [...(model.roles.get(role)?.tables ?? [])].filter(([, { select }]) => select);
    expect(tables).not.toEqual([]);
    for (const [key, { select }] of tables) {
      const name = (model.tables.get(key)?.name ?? '') as keyof typeof lists;
      const columns = select?.columns ?? [];
      const one = await gateway.ask(`{ rows: ${name} { ${columns.join(' ')} } }`, who);
      const camel = (column: string) =>
        column.replace(/_(.)/g, (_match, character) => character.toUpperCase());
      const fields = columns.map(
        (column) => `${column}: ${column === 'id' ? 'rowId' : camel(column)}`,
      );
      const other = await ask(`{ rows: ${lists[name]} { nodes { ${fields.join(' ')} } } }`, who);
      expect([one.errors, other.errors], `${role} ${name}`).toEqual([undefined, undefined]);
      expect(lines(other.data.rows.nodes), `${role} ${name}`).toEqual(lines(one.data.rows));
    }
  });
});

test('a relationship by a masked column returns null in rows where the role may not see the column', async () => {
  const who = { role: 'staff', variables: { 'User-Id': '1', 'Boss-Id': '9' } };
  const query = `{ allEmployees { nodes { name salary note
    departmentByDepartmentId { name } reviewsByEmployeeId { nodes { stars } } } } }`;
  expect((await ask(query, who)).data.allEmployees.nodes).toEqual([
    {
      ...{ name: 'Ann', salary: 100, note: 'good' },
      ...{
        departmentByDepartmentId: { name: 'sales' },
        reviewsByEmployeeId: { nodes: [{ stars: 5 }] },
      },
    },
    {
      ...{ name: 'Ben', salary: null, note: 'slow' },
      ...{ departmentByDepartmentId: null, reviewsByEmployeeId: { nodes: [{ stars: 3 }] } },
    },
  ]);
});

test.each([
  [
    'update mutation for a table with masked columns',
    'staff',
    'mutation { updateEmployeeByRowId(input: {rowId: 1, employeePatch: {note: "x"}}) { clientMutationId } }',
  ],
  [
    'update mutation for a view',
    'anyone',
    'mutation { updateEarning(input: {id: "x", earningPatch: {name: "x"}}) { clientMutationId } }',
  ],
])("PostGraphile's schema has no %s", async (_what, role, query) => {
  const who = { role, variables: { 'User-Id': '1', 'Boss-Id': '9' } };
  expect((await ask(query, who)).errors?.[0]?.extensions.code).toBe('validation-failed');
});
