import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { readDocumentation } from '../support/documentation.ts';
import { startTestServer, type TestServer } from '../support/http.ts';
import { headersOf } from './caller.ts';
import { type Moving, movingTables, pairs, place } from './transitions.ts';

let database: TestDatabase;
let server: TestServer;
let superuser: pg.Client;
let owner: pg.Client;
let tables: readonly Moving[];
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  server = await startTestServer({ database });
  superuser = await database.connectSuperuser();
  owner = await database.connectOwner();
  tables = await movingTables(superuser);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Tries every change of status and maps it, as `from>to`, to its outcome. */
async function moved(
  moving: Moving,
  move: (to: string) => Promise<string>,
): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  for (const [from, to] of pairs(moving.statuses)) {
    await place(superuser, moving, from);
    outcomes[`${from}>${to}`] = await move(to);
  }
  return outcomes;
}

function expected({ statuses, moves }: Moving, refusal: string): Record<string, string> {
  return Object.fromEntries(
    pairs(statuses).map(([from, to]) => {
      const move = `${from}>${to}`;
      return [move, moves.has(move) ? 'moved' : refusal];
    }),
  );
}

test('every table with a status lists allowed changes between existing statuses', () => {
  for (const { statuses, moves } of tables) {
    expect(moves.size).toBeGreaterThan(0);
    for (const move of moves) expect(statuses).toEqual(expect.arrayContaining(move.split('>')));
  }
  expect(tables).toHaveLength(21);
});

test('the database lets even the owner make only the allowed changes of status', async () => {
  for (const moving of tables) {
    const outcomes = await moved(moving, async (to) => {
      const change = `update public."${moving.table}" set status = $2 where id::text = $1`;
      return owner.query(change, [moving.row, to]).then(
        () => 'moved',
        (error) => `${error.code} ${error.constraint}`,
      );
    });
    expect({ [moving.table]: outcomes }).toEqual({
      [moving.table]: expected(moving, `23514 ${moving.table}_status_move`),
    });
  }
});

test('over GraphQL, the admin can make exactly the allowed changes of status', async () => {
  for (const moving of tables) {
    const mutation = `mutation M($id: ${moving.table === 'user' ? 'String' : 'uuid'}!, $to: String!) {
      update_${moving.table}_by_pk(pk_columns: { id: $id }, _set: { status: $to }) { id } }`;
    const outcomes = await moved(moving, async (to) => {
      const { body } = await server.graphql(mutation, {}, { id: moving.row, to });
      return body.errors?.[0].extensions.code ?? 'moved';
    });
    expect({ [moving.table]: outcomes }).toEqual({
      [moving.table]: expected(moving, 'constraint-violation'),
    });
  }
});

test('the error about a refused change of status names both statuses to the admin, and only the constraint to other roles', async () => {
  const moving = tables.find(({ table }) => table === 'digital_wallet') as Moving;
  await place(superuser, moving, 'active');
  const mutation = `mutation { update_digital_wallet(
    where: { id: { _eq: "${moving.row}" } }, _set: { status: "draft" }) { affected_rows } }`;
  const messageOf = async (headers: Readonly<Record<string, string>>) =>
    (await server.graphql(mutation, headers)).body.errors[0].message;
  expect(await messageOf({})).toBe(
    'Check constraint violation. digital_wallet cannot go from active to draft',
  );
  expect(await messageOf(headersOf('digital_wallets_admin', {}))).toBe(
    'Check constraint violation. new row for relation "digital_wallet" violates check constraint "digital_wallet_status_move"',
  );
});

test('a role can change a status only if both its rule and the list of allowed changes permit it', async () => {
  const moving = tables.find(({ table }) => table === 'digital_wallet') as Moving;
  const headers = headersOf('digital_wallets_admin', {});
  const mutation = `mutation M($id: uuid!, $to: String!) {
    update_digital_wallet(where: { id: { _eq: $id } }, _set: { status: $to }) { affected_rows } }`;
  const outcomes = await moved(moving, async (to) => {
    const { body } = await server.graphql(mutation, headers, { id: moving.row, to });
    return body.errors?.[0].extensions.code ?? body.data.update_digital_wallet.affected_rows;
  });
  expect(outcomes).toMatchObject({
    'draft>active': 1,
    'active>archived': 1,
    'archived>active': 1,
    'active>draft': 'constraint-violation',
    'archived>draft': 'constraint-violation',
    'active>locked': 'permission-error',
    'locked>active': 0,
  });
});

test('an update that sets a status to its current value is allowed in any status', async () => {
  const moving = tables.find(({ table }) => table === 'trade_request') as Moving;
  await place(superuser, moving, 'settled');
  const { rowCount } = await owner.query(
    `update public.trade_request set status = 'settled' where id = $1`,
    [moving.row],
  );
  expect(rowCount).toBe(1);
});

test('the documentation lists exactly the allowed changes of status', async () => {
  const documentation = readDocumentation();
  const [, states = ''] = /^#+ States\n(.*?)^#/ms.exec(documentation) ?? [];
  const listed = [...states.matchAll(/^\| `(\w+)` \| (`.*) \|$/gm)].map(([, table, moves = '']) => [
    table,
    moves.split('; ').flatMap((line) => {
      const [from = '', to = ''] = line.replaceAll('`', '').split(' → ');
      return to.split(', ').map((status) => `${from}>${status}`);
    }),
  ]);
  const known = tables.map(({ table, moves }) => [table, [...moves]]);
  expect(sorted(listed)).toEqual(sorted(known));
});

function sorted(rows: readonly (readonly unknown[])[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(rows.map(([table, moves]) => [table, [...(moves as string[])].sort()]));
}
