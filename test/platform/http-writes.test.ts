import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/http.ts';
import { graphqlRefusals, operationOf } from './attempt-graphql.ts';
import { type Attempt, readAttempts, readDrafts } from './attempts.ts';
import { headersOf, variablesOf } from './caller.ts';
import { type KeptRows, keepRows } from './keep-rows.ts';

let database: TestDatabase;
let server: TestServer;
let kept: KeptRows;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  const owner = await database.connectOwner();
  await owner.query(readDrafts());
  server = await startTestServer({ database });
  kept = await keepRows(await database.connectSuperuser());
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Returns the number of written rows, or the code of the error. Undoes a write that succeeded. */
async function outcome({ role, who, write }: Attempt): Promise<unknown> {
  const headers = headersOf(role, variablesOf(who));
  const { query, variables } = operationOf(write);
  const { data, errors } = (await server.graphql(query, headers, variables)).body;
  if (errors) return errors[0].extensions.code;
  if (data.written.affected_rows > 0) await kept.restore();
  return data.written.affected_rows;
}

describe.each(readAttempts())('over HTTP, $about', ({ facts }) => {
  test.each(facts)('$fact', async (attempt) => {
    const { expected } = attempt;
    expect(await outcome(attempt)).toBe(
      'refused' in expected ? graphqlRefusals[expected.refused] : expected.affects,
    );
  });
});

test('over HTTP, the refused writes above changed no row', async () => {
  expect(await kept.changed()).toEqual([]);
});
