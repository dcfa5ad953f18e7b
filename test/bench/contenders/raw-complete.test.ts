import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Contender, startContender, stopContenders } from '../../../bench/contender.ts';
import { bodyOf, operations } from '../../../bench/throughput/operations.ts';
import { applyMetadata } from '../../../permissions/index.ts';
import { withLogin } from '../../../server/db/url.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const bench = path.resolve(import.meta.dirname, '../../../bench');
const secret = 'a-secret-of-at-least-32-characters!!';
const password = 'gateway-password-for-tests';
const find = (name: string) => operations.find((operation) => operation.name === name);
const [read, update] = [find('by_pk'), find('update')].map((found) => found && bodyOf(found, 0));

let database: TestDatabase;
let owner: pg.Client;
let superuser: pg.Client;
let contender: Contender;
let login: string;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.connectOwner();
  superuser = await database.connectSuperuser();
  await owner.query(await readFile(path.join(bench, 'schema.sql'), 'utf8'));
  const metadata = path.join(bench, 'metadata');
  await applyMetadata(owner, { metadata, headerPrefix: 'X-Gql-', password });
  login = `rowgate_${database.name}_gateway_login`;
  contender = await startContender('raw-complete', {
    ...{ gatewayUrl: withLogin(database.ownerUrl, login, password), secret, metadata, poolSize: 1 },
    ...{ role: `rowgate_${database.name}_tenant`, logFile: '/dev/null' },
  });
});
afterAll(async () => {
  stopContenders([contender]);
  await database.drop();
});

async function post(body = '', given = secret, signal: AbortSignal | null = null) {
  const headers = { 'x-gql-admin-secret': given, 'x-gql-tenant-id': '1' };
  const init = { method: 'POST', headers, body, signal };
  const response = await fetch(`http://127.0.0.1:${contender.port}/v1/graphql`, init);
  return (await response.json()) as { data?: unknown; errors?: { extensions: unknown }[] };
}

const answered = { data: { wallet_by_pk: expect.objectContaining({ name: 'Wallet 2' }) } };
/** Counts the sessions of the contender that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await superuser.query(
    `select from pg_stat_activity where usename = $1 and wait_event_type = 'Lock'`,
    [login],
  );
  return rows.length;
}

test.each([
  ['a wrong secret', read, 'another secret', 'access-denied'],
  ['a body that is no JSON', '{', secret, 'bad-request'],
  ['an unknown operation', '{"query":"{ other }"}', secret, 'validation-failed'],
  ['a malformed value', read?.replace(/1000000\d/, 'x'), secret, 'data-exception'],
])('%s is an error of GraphQL', async (_case, body, given, code) => {
  const { errors } = await post(body, given);
  expect(errors?.[0]?.extensions).toEqual({ path: '$', code });
});

test('a connection works after an error of its statement', async () => {
  await post(read?.replace(/1000000\d/, 'x'));
  expect(await post(read)).toEqual(answered);
});

test('a statement is cancelled when its client leaves', async () => {
  await owner.query('begin');
  await owner.query('lock table wallet in access exclusive mode');
  const client = new AbortController();
  const asked = post(update, secret, client.signal);
  await until(async () => (await waiting()) === 1);
  client.abort();
  await expect(asked).rejects.toThrow('aborted');
  await until(async () => (await waiting()) === 0);
  await owner.query('rollback');
  expect(await post(read)).toEqual(answered);
});

test('a broken connection is replaced', async () => {
  await superuser.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1',
    [login],
  );
  await until(async () => (await post(read)).errors === undefined);
  expect(await post(read)).toEqual(answered);
});
