import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type pg from 'pg';
import { runCommand } from '../../../../support/command-line.ts';
import { makeDataFolder, removeFolders } from '../../../../support/data-folder.ts';
import { createDatabase } from '../../../../support/database.ts';
import { endPrograms } from '../../../../support/program.ts';
import { type Served, serveRowgate } from '../../../../support/rowgate.ts';
import { adminSecret, secrets } from '../../../cli/support/start.ts';
import { startHaproxy } from './haproxy.ts';

const schema = `
create table message (id int primary key, room int not null, body text not null);
create table request (id int primary key);
insert into message values (1, 7, 'first'), (2, 8, 'elsewhere');`;

const metadata = {
  'roles.yaml': 'roles: { guest: { requires: [X-Gql-Room] } }\n',
  'tables/message.yaml': `
table: message
live: true
permissions:
  guest: { select: { filter: { room: { _eq: X-Gql-Room } }, columns: '*' } }
`,
  'tables/request.yaml': `
table: request
permissions: {}
events:
  requested: { operations: [insert], webhook: /requested, retry: { limit: 20, interval: 1 } }
`,
};

const admin = { 'content-type': 'application/json', 'X-Gql-Admin-Secret': adminSecret };
export const guest = { ...admin, 'X-Gql-Role': 'guest', 'X-Gql-Room': '7' };

/** Two gateways and a worker as processes of their own, behind HAProxy. */
export interface Gateways {
  /** The URL of HAProxy. */
  readonly url: string;
  readonly owner: pg.Client;
  readonly served: readonly [Served, Served];
  /** Runs a GraphQL document as a guest, through HAProxy. */
  ask(document: string): Promise<unknown>;
  /** Starts a gateway again, at the address that it had. */
  restart(gateway: Served): Promise<Served>;
  stop(): Promise<void>;
}

export async function startGateways(): Promise<Gateways> {
  const database = await createDatabase();
  const owner = await database.connectOwner();
  await owner.query(schema);
  let url = '';
  const post = async (headers: Record<string, string>, query: string) => {
    const init = { method: 'POST', headers, body: JSON.stringify({ query }) };
    return (await (await fetch(`${url}/v1/graphql`, init)).json()) as object;
  };
  const handler = await startHandler(() => post(admin, insertRequested));
  const environment = {
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: await makeDataFolder(),
    ROWGATE_METADATA: await writeMetadata(),
    ROWGATE_ROLE_PREFIX: `${database.name}_`,
    ROWGATE_TRUST_PROXY: 'loopback',
    ROWGATE_WEBHOOK_BASE_URL: handler.url,
    ...secrets,
  };
  await run(['migrate', '--events-only'], environment);
  await run(['apply', '--yes'], environment);
  const serve = (only: string, port = {}) =>
    serveRowgate({ ...environment, ...port }, ['--only', only]);
  const [one, two] = await Promise.all([serve('graphql'), serve('graphql'), serve('worker')]);
  url = await startHaproxy([one, two]);
  return {
    ...{ url, owner, served: [one, two] },
    ask: (document) => post(guest, document),
    restart: (gateway) => serve('graphql', { PORT: new URL(gateway.url).port }),
    stop: async () => {
      await endPrograms();
      handler.close();
      await database.drop();
      await removeFolders();
    },
  };
}

/** The handler of an event inserts this row. */
export const requested = { id: 1000, body: 'requested' };
const insertRequested = `mutation {
  insert_message_one(object: { id: ${requested.id}, room: 7, body: "${requested.body}" }) { id }
}`;

/** Starts the handler of the event `requested`. It accepts an event when the mutation has succeeded. */
async function startHandler(mutate: () => Promise<object>) {
  const server = createServer(async (_request, response) => {
    const answer = await mutate().catch(() => ({}));
    response.writeHead('data' in answer ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

async function writeMetadata(): Promise<string> {
  const folder = await makeDataFolder();
  await mkdir(path.join(folder, 'tables'));
  for (const [name, text] of Object.entries(metadata))
    await writeFile(path.join(folder, name), text);
  return folder;
}

async function run(args: readonly string[], environment: Record<string, string>): Promise<void> {
  const { code, stderr } = await runCommand(args, environment);
  if (code !== 0) throw new Error(`rowgate ${args.join(' ')} failed: ${stderr}`);
}
