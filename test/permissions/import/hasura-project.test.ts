import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { createClient } from 'graphql-sse';
import { SignJWT } from 'jose';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { openQueue } from '../../../server/queue/open-queue.ts';
import { runCommand } from '../../support/command-line.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { endPrograms } from '../../support/program.ts';
import { query } from '../../support/query.ts';
import { type Finished, type Served, serveRowgate } from '../../support/rowgate.ts';

/** A project as `hasura init` and `hasura metadata export` write it. */
const project = path.resolve(import.meta.dirname, 'hasura-project');
const compose = parse(await readFile(path.join(project, 'docker-compose.yaml'), 'utf8'));
const { HASURA_GRAPHQL_JWT_SECRET: jwtSecret, DESK_TOKEN: deskToken } =
  compose.services['graphql-engine'].environment;
const soon = { timeout: 30_000, interval: 50 };

interface Received {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

let database: TestDatabase;
let desk: Server;
let served: Served;
let imported: Finished;
let environment: Record<string, string>;
const received: Received[] = [];

beforeAll(async () => {
  desk = createServer(async (request, response) => {
    const { url, headers } = request;
    received.push({ path: url, headers, body: await json(request) });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(desk, 'listening');
  database = await createDatabase();
  await query(
    database.ownerUrl,
    await readFile(path.join(project, 'migrations/default/1718000000000_init/up.sql'), 'utf8'),
  );
  const folder = await makeDataFolder();
  const metadata = ['--metadata', path.join(folder, 'metadata')];
  environment = {
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: path.join(folder, 'data'),
    ROWGATE_ADMIN_SECRET: 'a'.repeat(40),
    ROWGATE_HEADER_PREFIX: 'X-Hasura-',
    ROWGATE_JWT_SECRET: jwtSecret,
    DESK_URL: `http://127.0.0.1:${(desk.address() as AddressInfo).port}`,
    DESK_TOKEN: deskToken,
  };
  imported = await runCommand(
    ['import', 'hasura', project, '--out', metadata[1] ?? ''],
    environment,
  );
  for (const command of [['apply', '--yes'], ['migrate']]) {
    expect(await runCommand([...command, ...metadata], environment)).toMatchObject({ code: 0 });
  }
  served = await serveRowgate(environment, metadata);
});
afterAll(async () => {
  await endPrograms();
  desk.close();
  await database.drop();
  await removeFolders();
});

/** Signs a token as the identity provider of the project does. */
function sign(subject: string, roles?: readonly string[]): Promise<string> {
  const { key, issuer } = JSON.parse(jwtSecret);
  return new SignJWT({ ...(roles && { desk: { roles } }) })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuer)
    .setAudience('desk-mobile')
    .setSubject(subject)
    .setExpirationTime('5 minutes')
    .sign(new TextEncoder().encode(key));
}

async function ask(token: string, text: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${served.url}/v1/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify({ query: text }),
  });
  return response.json();
}

/** Returns the first answer to a subscription, and ends the subscription. */
async function watch(token: string, query: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  const client = createClient({ url: `${served.url}/v1/graphql`, headers });
  const { value } = await client.iterate({ query }).next();
  client.dispose();
  return value;
}

describe('a project of Hasura with JWT, an event, a schedule and an inherited role', () => {
  test('is imported whole', () => {
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect(imported.stdout).toBe(`not imported:
  ${path.join(project, 'metadata/databases/databases.yaml')}:4:5 sources[0].configuration: database "default": how Hasura connects is not imported; set DATABASE_URL
3 tables, 7 permissions, 3 roles, 1 event trigger, 1 schedule
`);
  });

  test('shows customers their own tickets by a token that Hasura accepts', async () => {
    const text = '{ ticket(order_by: { id: asc }) { subject state } customer { id credit } }';
    expect(await ask(await sign('ben'), text)).toEqual({
      data: {
        ticket: [
          { subject: 'Late parcel', state: 'closed' },
          { subject: 'Wrong size', state: 'open' },
        ],
        customer: [{ id: 'ben', credit: 0 }],
      },
    });
  });

  test('unites what both parents see in the inherited role of a token', async () => {
    const text = `{ customer(order_by: { id: asc }) { id name credit tickets_aggregate { aggregate { count } } }
      ticket(where: { state: { _eq: open }, id: { _eq: 1 } }) { internal_note } }`;
    expect(
      await ask(await sign('carl', ['agent', 'lead']), text, { 'x-hasura-role': 'lead' }),
    ).toEqual({
      data: {
        customer: [
          { id: 'ada', name: 'Ada', credit: 10, tickets_aggregate: { aggregate: { count: 1 } } },
          { id: 'ben', name: 'Ben', credit: 0, tickets_aggregate: { aggregate: { count: 2 } } },
        ],
        ticket: [{ internal_note: 'ask for a photo' }],
      },
    });
  });

  test('lets customers watch their tickets only by the root field that subscription_root_fields names', async () => {
    const token = await sign('ben');
    const byKey = '{ ticket_by_pk(id: 2) { subject } }';
    expect(
      await watch(token, 'subscription { ticket(order_by: { id: asc }) { subject } }'),
    ).toEqual({
      data: { ticket: [{ subject: 'Late parcel' }, { subject: 'Wrong size' }] },
    });
    expect(await watch(token, `subscription ${byKey}`)).toMatchObject({
      errors: [
        {
          message: expect.stringContaining("'ticket_by_pk' not found in type: 'subscription_root'"),
        },
      ],
    });
    expect(await ask(token, byKey)).toEqual({ data: { ticket_by_pk: { subject: 'Late parcel' } } });
  });

  test('refuses a role that the token does not allow', async () => {
    const answer = await ask(await sign('ben'), '{ ticket { id } }', { 'x-hasura-role': 'lead' });
    expect(answer).toMatchObject({
      errors: [
        {
          message: 'Your requested role is not in allowed roles',
          extensions: { code: 'access-denied' },
        },
      ],
    });
  });

  test('delivers the event of a ticket that a customer opens', async () => {
    const text = 'mutation { insert_ticket_one(object: { subject: "No light" }) { id state } }';
    expect(await ask(await sign('ada'), text)).toEqual({
      data: { insert_ticket_one: { id: 4, state: 'open' } },
    });
    await vi.waitFor(() => expect(received.map((one) => one.path)).toContain('/tickets'), soon);
    expect(received.find((one) => one.path === '/tickets')).toMatchObject({
      headers: { authorization: deskToken },
      body: {
        table: { schema: 'public', name: 'ticket' },
        trigger: { name: 'ticket_opened' },
        event: {
          op: 'INSERT',
          session_variables: { 'x-hasura-role': 'customer', 'x-hasura-user-id': 'ada' },
          data: { old: null, new: { id: 4, customer_id: 'ada', subject: 'No light' } },
        },
      },
    });
  });

  test('runs the cron trigger', async () => {
    // Runs the schedule as the queue does when it is due.
    const logger = pino({ level: 'silent' });
    const queue = await openQueue({ url: database.ownerUrl, works: false, logger });
    await queue.boss.send('schedules', { schedule: 'daily_report' });
    await queue.close();
    await vi.waitFor(() => expect(received.map((one) => one.path)).toContain('/reports'), soon);
    expect(received.find((one) => one.path === '/reports')).toMatchObject({
      body: { name: 'daily_report', payload: { kind: 'daily' } },
    });
  });
});
