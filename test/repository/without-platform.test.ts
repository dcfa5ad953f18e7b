import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { SignJWT } from 'jose';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openQueue } from '../../server/queue/open-queue.ts';
import { makeDataFolder, removeFolders } from '../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { endPrograms, startProgram } from '../support/program.ts';
import { query } from '../support/query.ts';
import { compileCache, vacantPort } from '../support/rowgate.ts';

const root = path.resolve(import.meta.dirname, '../..');
const soon = { timeout: 30_000, interval: 50 };
const adminSecret = 'a'.repeat(40);
const jwtKey = 'k'.repeat(32);
const received: unknown[] = [];

let checkout: string;
let database: TestDatabase;
let receiver: Server;
let environment: Record<string, string>;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    received.push({ path: request.url, body: await json(request) });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  database = await createDatabase();
  checkout = await copyGateway();
  await writeMetadata(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}`);
  environment = {
    ...compileCache(),
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: path.join(checkout, 'data'),
    ROWGATE_ADMIN_SECRET: adminSecret,
    ROWGATE_JWT_SECRET: JSON.stringify({ type: 'HS256', key: jwtKey }),
    PORT: String(await vacantPort()),
  };
});
afterEach(endPrograms);
afterAll(async () => {
  receiver.close();
  await database.drop();
  await removeFolders();
});

/** Copies the program without the platform: without server/platform, its SQL, the demo data and the metadata. */
async function copyGateway(): Promise<string> {
  const folder = await makeDataFolder();
  for (const part of ['bin', 'package.json', 'permissions', 'server', 'sql/gateway']) {
    await cp(path.join(root, part), path.join(folder, part), { recursive: true });
  }
  await rm(path.join(folder, 'server/platform'), { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

async function writeMetadata(url: string): Promise<void> {
  const folder = path.join(checkout, 'metadata');
  await mkdir(path.join(folder, 'tables'), { recursive: true });
  await writeFile(path.join(folder, 'roles.yaml'), 'roles: { reader: {} }\n');
  await writeFile(
    path.join(folder, 'tables/note.yaml'),
    `table: note
permissions: { reader: { select: { filter: {}, columns: '*' } } }
events: { note_insert: { operations: [insert], webhook: '${url}/notes' } }
`,
  );
  await writeFile(
    path.join(folder, 'cron.yaml'),
    `tidy: { schedule: '0 3 * * *', timezone: UTC, webhook: '${url}/tidy', payload: {} }\n`,
  );
}

const program = () => [path.join(checkout, 'bin/rowgate.js')];

/** Returns the output of a command. Rejects when the command fails. */
async function rowgate(...args: readonly string[]): Promise<string> {
  const options = { cwd: checkout, env: environment };
  return (await promisify(execFile)(process.execPath, [...program(), ...args], options)).stdout;
}

async function ask(operation: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${environment.PORT}/v1/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query: operation }),
  });
  return answer.json();
}

function readerToken(): Promise<string> {
  const roles = { 'x-hasura-allowed-roles': ['reader'], 'x-hasura-default-role': 'reader' };
  return new SignJWT({ 'https://hasura.io/jwt/claims': roles })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('5 minutes')
    .sign(new TextEncoder().encode(jwtKey));
}

test('a copy of the program without the platform serves GraphQL, accepts a JWT, runs a schedule and delivers an event', async () => {
  await query(database.ownerUrl, 'create table public.note (id int primary key, text text)');
  await rowgate('migrate');
  await rowgate('apply', '--yes');
  const served = startProgram(process.execPath, [...program(), 'serve'], {
    cwd: checkout,
    env: environment,
  });
  await served.saysOnStderr('Try it:');

  const insert = 'mutation { insert_note_one(object: { id: 1, text: "heard" }) { id } }';
  expect(await ask(insert, { 'X-Gql-Admin-Secret': adminSecret })).toEqual({
    data: { insert_note_one: { id: 1 } },
  });
  expect(
    await ask('{ note { text } }', { Authorization: `Bearer ${await readerToken()}` }),
  ).toEqual({ data: { note: [{ text: 'heard' }] } });

  // Runs the schedule as the queue does when it is due.
  const logger = pino({ level: 'silent' });
  const queue = await openQueue({ url: database.ownerUrl, works: false, logger });
  await queue.boss.send('schedules', { schedule: 'tidy' });
  await queue.close();
  await vi.waitFor(() => {
    expect(received).toHaveLength(2);
  }, soon);
  expect(received).toEqual(
    expect.arrayContaining([
      {
        path: '/notes',
        body: expect.objectContaining({ table: { schema: 'public', name: 'note' } }),
      },
      { path: '/tidy', body: expect.objectContaining({ name: 'tidy' }) },
    ]),
  );
  await vi.waitFor(async () => {
    expect(JSON.parse(await rowgate('jobs', 'history', '--json'))).toMatchObject({
      runs: [{ name: 'tidy', outcome: 'ok' }],
    });
  }, soon);
  expect(await served.end()).toBe(0);
});

test('a copy of the program without the platform lacks its commands and refuses metadata of an unknown application', async () => {
  await expect(rowgate('session', 'list', '--user', 'x')).rejects.toMatchObject({ code: 2 });
  const other = path.join(checkout, 'other');
  await cp(path.join(checkout, 'metadata'), other, { recursive: true });
  await writeFile(path.join(other, 'rowgate.yaml'), 'application: shop\n');
  await expect(rowgate('check', '--metadata', other)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'rowgate.yaml:1:14: there is no application "shop"\n  the applications are: platform',
    ),
  });
});
