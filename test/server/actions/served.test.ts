import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateScopes, refuseWithoutWorkerTables } from '../../../server/db/preparation.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { type Receiver, startReceiver } from '../events/support/receiver.ts';
import type { Answer } from '../graphql/support/gateway.ts';
import { RawSocket } from '../graphql/websocket/support/raw-socket.ts';

const actions = `
actions:
  tidy:
    type: mutation
    kind: asynchronous
    output_type: Int!
    handler: '{{HANDLERS}}/tidy'
    headers: { X-Key: '{{ HANDLER_KEY }}' }
  look:
    type: query
    output_type: Int!
    handler: '{{HANDLERS}}/look'
    forward_client_headers: [Authorization, X-Page]
`;

let database: TestDatabase;
let owner: pg.Client;
let handler: Receiver;
let metadata: string;

beforeAll(async () => {
  database = await createDatabase();
  owner = await database.connectOwner();
  await migrateScopes(owner, ['gateway']);
  handler = await startReceiver((response) => response.end('7'));
  metadata = await makeDataFolder();
  await mkdir(path.join(metadata, 'tables'));
  await writeFile(path.join(metadata, 'roles.yaml'), 'roles: {}\n');
  await writeFile(path.join(metadata, 'actions.yaml'), actions);
  await writeFile(path.join(metadata, 'graphile.yaml'), 'endpoint: /graphql\n');
});
afterAll(async () => {
  await handler.close();
  await database.drop();
  await removeFolders();
});

test('the server refuses to start if environment variables that actions need are unset, and names all of them', async () => {
  await expect(startTestServer({ database, metadata, worker: true })).rejects.toMatchObject({
    code: 'RG_CONFIG',
    message:
      `${metadata}/actions.yaml:3: the action "tidy" needs HANDLERS, which is not set\n` +
      `${metadata}/actions.yaml:3: the action "tidy" needs HANDLER_KEY, which is not set\n` +
      `${metadata}/actions.yaml:9: the action "look" needs HANDLERS, which is not set`,
  });
});

test('a worker calls the handler for a waiting call of an asynchronous action, and stores the output', async () => {
  const environment = { HANDLERS: handler.url, HANDLER_KEY: 'key' };
  const server = await startTestServer({ database, metadata, worker: true, environment });
  await owner.query(
    `insert into rowgate_events.action_request
       (action, role, session_variables, input, client_headers, lease_seconds)
     values ('tidy', 'admin', '{}', '{}', '{}', 9)`,
  );
  const output = await until(async () => {
    const { rows } = await owner.query('select output from rowgate_events.action_request');
    return rows[0]?.output;
  });
  await server.stop();
  expect(output).toBe(7);
  expect(handler.received).toMatchObject([{ path: '/tidy', headers: { 'x-key': 'key' } }]);
});

test.each(['/graphql', '/v1/graphql'])(
  'a client of %s calls an asynchronous action and queries its outcome',
  async (endpoint) => {
    const environment = { HANDLERS: handler.url, HANDLER_KEY: 'key' };
    const server = await startTestServer({ database, metadata, worker: true, environment });
    const post = async (query: string) => {
      const response = await server.fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gql-admin-secret': server.adminSecret },
        body: JSON.stringify({ query }),
      });
      return ((await response.json()) as Answer).data.tidy;
    };
    const id = await post('mutation { tidy }');
    const ended = await until(async () => {
      const found = await post(`{ tidy(id: "${id}") { id status errors output } }`);
      return found.status === 'completed' && found;
    });
    await server.stop();
    expect(ended).toEqual({ id, status: 'completed', errors: null, output: 7 });
  },
);

test('the handler of an action called over a WebSocket receives the headers that the client sent in connection_init', async () => {
  const environment = { HANDLERS: handler.url, HANDLER_KEY: 'key' };
  const server = await startTestServer({ database, metadata, environment });
  const socket = new RawSocket(server.url, { headers: { 'X-Page': 'of the upgrade' } });
  await socket.init({ 'X-Gql-Admin-Secret': server.adminSecret, Authorization: 'abc' });
  expect((await socket.ask('{ look }')).payload).toEqual({ data: { look: 7 } });
  socket.end();
  await server.stop();
  expect(handler.received.at(-1)).toMatchObject({
    path: '/look',
    headers: { 'x-page': 'of the upgrade', authorization: 'abc' },
  });
});

test('a worker refuses to start if the table for calls of actions is missing', async () => {
  await owner.query('alter table rowgate_events.action_request rename to elsewhere');
  await expect(refuseWithoutWorkerTables(owner)).rejects.toMatchObject({
    code: 'RG_NOT_PREPARED',
    message: 'the tables of the worker are missing, or older than this program',
  });
  await owner.query('alter table rowgate_events.elsewhere rename to action_request');
});
