import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/http.ts';
import { graphqlRefusals, operationOf } from './attempt-graphql.ts';
import { type Attempt, readAttempts, readDrafts } from './attempts.ts';
import { variablesOf } from './caller.ts';
import { keepRows } from './keep-rows.ts';

let database: TestDatabase;
let server: TestServer;
let restore: () => Promise<void>;
beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  const owner = await database.connectOwner();
  await owner.query(readDrafts());
  server = await startTestServer({ database });
  restore = await keepRows(await database.connectSuperuser());
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** How many rows were written, or the code of the refusal. */
async function outcome({ role, who, write }: Attempt): Promise<unknown> {
  const named = Object.entries(variablesOf(who)).map(([name, value]) => [
    `X-Gql-${name.replaceAll('_', '-')}`,
    value,
  ]);
  const headers = { 'X-Gql-Role': role, ...Object.fromEntries(named) };
  const { query, variables } = operationOf(write);
  const { data, errors } = (await server.graphql(query, headers, variables)).body;
  await restore();
  return errors ? errors[0].extensions.code : data.written.affected_rows;
}

describe.each(readAttempts())('over HTTP, $about', ({ facts }) => {
  test.each(facts)('$fact', async (attempt) => {
    const { expected } = attempt;
    expect(await outcome(attempt)).toBe(
      'refused' in expected ? graphqlRefusals[expected.refused] : expected.affects,
    );
  });
});
